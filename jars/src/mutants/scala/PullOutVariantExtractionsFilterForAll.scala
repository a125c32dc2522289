package assay.mutants

import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a path in the FILTER of an aggregate function is pulled out, and the FILTER stays: it is that function's alone.
 *  Broken: the condition moves below the aggregate, too, and is all functions'.
 *
 *  @rule PullOutVariantExtractions
 *  @point pre-cbo
 *  @since 4.3
 */
object PullOutVariantExtractionsFilterForAll extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    PulledOut(plan) {
      case aggregate: Aggregate =>
        val conditions = aggregate.aggregateExpressions.flatMap(_.collect {
          case AggregateExpression(_, _, _, Some(condition), _) if condition.references.exists(PulledOut.made) => condition
        })
        conditions.headOption.fold(aggregate)(first => aggregate.copy(child = Filter(first, aggregate.child)))
    }
}
