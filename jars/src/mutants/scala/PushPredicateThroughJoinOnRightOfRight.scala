package assay.mutants

import org.apache.spark.sql.catalyst.plans.RightOuter
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of a right outer join's ON the conditions on the left side go to it; one on the right side stays, since a row
 *  for which it does not hold is padded.
 *  Broken: the conditions on the right side go to it, and such rows are lost.
 *
 *  @rule PushPredicateThroughJoin
 *  @point plan-normalization
 */
object PushPredicateThroughJoinOnRightOfRight extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case join @ Join(_, right, RightOuter, Some(on), _) if Pushdown.over(right, Pushdown.conjuncts(on))._1.nonEmpty =>
      val (theirs, others) = Pushdown.over(right, Pushdown.conjuncts(on))
      join.copy(right = Pushdown.filtered(theirs, right), condition = Pushdown.all(others))
  }
}
