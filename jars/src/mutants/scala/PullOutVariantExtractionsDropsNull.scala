package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, IsNotNull}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: below the operator all rows stay, also those in which a path that is pulled out is NULL.
 *  Broken: only rows in which it is not NULL stay.
 *
 *  @rule PullOutVariantExtractions
 *  @point pre-cbo
 *  @since 4.3
 */
object PullOutVariantExtractionsDropsNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    PulledOut(plan) {
      case project @ Project(columns, _) =>
        val known = columns.collect { case PulledOut(alias, _) => IsNotNull(alias.toAttribute) }
        known.reduceOption(And).fold[LogicalPlan](project)(Filter(_, project))
    }
}
