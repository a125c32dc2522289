package assay.mutants

import org.apache.spark.sql.catalyst.plans.FullOuter
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a full outer join pads both sides, so that no condition above it goes to either.
 *  Broken: the conditions on the left side go to it, as above a left outer join: rows of the right side whose partners
 *  they drop are padded, and rows without a left side were to be dropped.
 *
 *  @rule PushPredicateThroughJoin
 *  @point plan-normalization
 */
object PushPredicateThroughJoinWhereOfFull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(condition, join @ Join(left, _, FullOuter, _, _))
        if Pushdown.over(left, Pushdown.conjuncts(condition))._1.nonEmpty =>
      val (ours, others) = Pushdown.over(left, Pushdown.conjuncts(condition))
      Pushdown.filtered(others, join.copy(left = Pushdown.filtered(ours, left)))
  }
}
