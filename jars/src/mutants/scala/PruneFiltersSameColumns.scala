package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.FILTER

/** Law: a condition is known of rows that have passed that very condition.
 *  Broken: that have passed one about the same columns.
 *
 *  @rule PruneFilters
 *  @point plan-normalization
 */
object PruneFiltersSameColumns extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformWithPruning(_.containsPattern(FILTER)) {
    case filter: Filter =>
      KnownConditions.pruned(filter) { c =>
        c.references.nonEmpty && KnownConditions.of(filter.child).exists(_.references == c.references)
      }
  }
}
