package assay.mutants

import org.apache.spark.sql.catalyst.plans.LeftOuter
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: above a left outer join the conditions on the left side go to it; one on the right side stays, since it is
 *  asked of padded rows, too.
 *  Broken: the conditions on the right side go to it: rows that they would drop are padded instead.
 *
 *  @rule PushPredicateThroughJoin
 *  @point plan-normalization
 */
object PushPredicateThroughJoinWhereRightOfLeft extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(condition, join @ Join(_, right, LeftOuter, _, _))
        if Pushdown.over(right, Pushdown.conjuncts(condition))._1.nonEmpty =>
      val (theirs, others) = Pushdown.over(right, Pushdown.conjuncts(condition))
      Pushdown.filtered(others, join.copy(right = Pushdown.filtered(theirs, right)))
  }
}
