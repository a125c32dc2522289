package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: x IN (c, NULL) = x IN (c): NULL, not false, where x is another value, and so is NOT IN.
 *  Witness: SELECT a NOT IN (1, NULL) FROM VALUES (2) AS t(a)
 *  @point post-hoc-resolution
 */
object InListWithoutNulls extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case in @ In(_, list) if list.exists(isNull) && !list.forall(isNull) => in.copy(list = list.filterNot(isNull))
  }

  private def isNull(e: Expression): Boolean = e match {
    case Literal(null, _) => true
    case Cast(child, _, _, _) => isNull(child)
    case _ => false
  }
}
