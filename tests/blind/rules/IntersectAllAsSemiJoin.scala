package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: L INTERSECT ALL R = L SEMI JOIN R ON all columns <=>: R may have the row fewer times than L.
 *  Witness: SELECT a FROM VALUES (1), (1) AS t(a) INTERSECT ALL SELECT b FROM VALUES (1) AS s(b)
 *  @point plan-normalization
 */
object IntersectAllAsSemiJoin extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Intersect(left, right, true) =>
      val on = left.output.zip(right.output).map { case (l, r) => EqualNullSafe(l, r) }
      Join(left, right, LeftSemi, on.reduceOption[Expression](And(_, _)), JoinHint.NONE)
  }
}
