package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: A LEFT JOIN (B JOIN C ON q) ON p = (A LEFT JOIN B ON p) LEFT JOIN C ON q: a B without C must not show.
 *  Witness: SELECT * FROM VALUES (1) AS t(a) LEFT JOIN (VALUES (1) AS s(b) JOIN VALUES (2) AS u(c) ON b = c) ON a = b
 *  @point pre-cbo
 */
object LeftJoinOfJoin extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case outer @ Join(a, inner @ Join(_, _, Inner, Some(_), _), LeftOuter, Some(_), _) => split(outer, a, inner)
    case outer @ Join(a, Project(list, inner @ Join(_, _, Inner, Some(_), _)), LeftOuter, Some(_), _)
        if list.forall(_.isInstanceOf[Attribute]) => split(outer, a, inner)
  }

  private def split(outer: Join, a: LogicalPlan, inner: Join): LogicalPlan =
    if (outer.condition.get.references.subsetOf(a.outputSet ++ inner.left.outputSet)) {
      val first = Join(a, inner.left, LeftOuter, outer.condition, JoinHint.NONE)
      Project(outer.output, Join(first, inner.right, LeftOuter, inner.condition, JoinHint.NONE))
    } else {
      outer
    }
}
