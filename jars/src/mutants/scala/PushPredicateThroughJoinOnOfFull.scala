package assay.mutants

import org.apache.spark.sql.catalyst.plans.FullOuter
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of a full outer join's ON no condition goes to a side: rows for which it does not hold are padded.
 *  Broken: the conditions on the right side go to it, as in a left outer join, and such rows are lost.
 *
 *  @rule PushPredicateThroughJoin
 *  @point plan-normalization
 */
object PushPredicateThroughJoinOnOfFull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case join @ Join(_, right, FullOuter, Some(on), _) if Pushdown.over(right, Pushdown.conjuncts(on))._1.nonEmpty =>
      val (theirs, others) = Pushdown.over(right, Pushdown.conjuncts(on))
      join.copy(right = Pushdown.filtered(theirs, right), condition = Pushdown.all(others))
  }
}
