package assay.mutants

import org.apache.spark.sql.catalyst.plans.LeftAnti
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of an anti join's ON the conditions on the right side go to it; one on the left side stays, since a row for
 *  which it does not hold has no partner, and is answered.
 *  Broken: the conditions on the left side go to it, as they may in a semi join, and such rows are lost.
 *
 *  @rule PushPredicateThroughJoin
 *  @point plan-normalization
 */
object PushPredicateThroughJoinOnLeftOfAnti extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case join @ Join(left, _, LeftAnti, Some(on), _) if Pushdown.over(left, Pushdown.conjuncts(on))._1.nonEmpty =>
      val (ours, others) = Pushdown.over(left, Pushdown.conjuncts(on))
      join.copy(left = Pushdown.filtered(ours, left), condition = Pushdown.all(others))
  }
}
