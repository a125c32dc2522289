package assay.mutants

import org.apache.spark.sql.catalyst.plans.LeftOuter
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of a left outer join's ON the conditions on the right side go to it; one on the left side stays, since a row
 *  for which it does not hold is padded.
 *  Broken: the conditions on the left side go to it, and such rows are lost.
 *
 *  @rule PushPredicateThroughJoin
 *  @point plan-normalization
 */
object PushPredicateThroughJoinOnLeftOfLeft extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case join @ Join(left, _, LeftOuter, Some(on), _) if Pushdown.over(left, Pushdown.conjuncts(on))._1.nonEmpty =>
      val (ours, others) = Pushdown.over(left, Pushdown.conjuncts(on))
      join.copy(left = Pushdown.filtered(ours, left), condition = Pushdown.all(others))
  }
}
