package assay.mutants

import org.apache.spark.sql.catalyst.plans.RightOuter
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: above a right outer join the conditions on the right side go to it; the left side is padded, and one on it
 *  stays.
 *  Broken: sides swapped. The conditions on the left side go to it: rows that they would drop are padded instead.
 *
 *  @rule PushPredicateThroughJoin
 *  @point plan-normalization
 */
object PushPredicateThroughJoinWhereLeftOfRight extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(condition, join @ Join(left, _, RightOuter, _, _))
        if Pushdown.over(left, Pushdown.conjuncts(condition))._1.nonEmpty =>
      val (ours, others) = Pushdown.over(left, Pushdown.conjuncts(condition))
      Pushdown.filtered(others, join.copy(left = Pushdown.filtered(ours, left)))
  }
}
