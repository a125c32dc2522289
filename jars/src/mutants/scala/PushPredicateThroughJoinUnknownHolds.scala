package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Coalesce, Literal}
import org.apache.spark.sql.catalyst.plans.{Inner, LeftOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a condition in an ON holds where it is true; where it is NULL it does not, and the filter on the side that it
 *  goes to drops the row.
 *  Broken: the filter keeps rows for which the condition is NULL, and nothing in the ON drops them any more.
 *
 *  @rule PushPredicateThroughJoin
 *  @point plan-normalization
 */
object PushPredicateThroughJoinUnknownHolds extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case join @ Join(_, right, Inner | LeftOuter, Some(on), _)
        if Pushdown.over(right, Pushdown.conjuncts(on))._1.nonEmpty =>
      val (theirs, others) = Pushdown.over(right, Pushdown.conjuncts(on))
      val kept = theirs.map(condition => Coalesce(Seq(condition, Literal.TrueLiteral)))
      join.copy(right = Pushdown.filtered(kept, right), condition = Pushdown.all(others))
  }
}
