package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a filter passes an aggregate that has grouping columns. Without any there is one group, of no rows as well.
 *  Broken: a condition that needs no column passes an aggregate without keys: `count(*) … HAVING false` answers 0
 *  instead of nothing.
 *
 *  @rule PushPredicateThroughNonJoin
 *  @point plan-normalization
 */
object PushPredicateThroughNonJoinNoKeys extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(condition, aggregate: Aggregate)
        if aggregate.groupingExpressions.isEmpty && condition.references.isEmpty && Pushdown.isPlain(condition) =>
      aggregate.copy(child = Filter(condition, aggregate.child))
  }
}
