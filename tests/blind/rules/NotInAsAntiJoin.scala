package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: x NOT IN (SELECT y) = anti join on x = y: wrong where x or a y is NULL.
 *  Witness: SELECT a FROM VALUES (1) AS t(a) WHERE a NOT IN (SELECT b FROM VALUES (NULL), (2) AS s(b))
 */
object NotInAsAntiJoin extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(Not(InSubquery(Seq(x), list: ListQuery)), child) if list.outerAttrs.isEmpty =>
      list.plan.output match {
        case Seq(y) =>
          val renamed = Alias(y, y.name)()
          Join(child, Project(Seq(renamed), list.plan), LeftAnti, Some(EqualTo(x, renamed.toAttribute)), JoinHint.NONE)
        case _ => filter
      }
  }
}
