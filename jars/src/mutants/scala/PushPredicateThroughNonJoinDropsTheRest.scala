package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of a filter over an aggregate the conditions on grouping columns go below; the others stay above.
 *  Broken: as soon as one goes below, the others are lost.
 *
 *  @rule PushPredicateThroughNonJoin
 *  @point plan-normalization
 */
object PushPredicateThroughNonJoinDropsTheRest extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case filter @ Filter(condition, aggregate: Aggregate) if aggregate.groupingExpressions.nonEmpty =>
      val below = Pushdown.conjuncts(condition).map(Pushdown.beneath(_, aggregate))
      val (onKeys, _) = Pushdown.over(aggregate.child, below)
      if (onKeys.isEmpty) filter else aggregate.copy(child = Pushdown.filtered(onKeys, aggregate.child))
  }
}
