package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: coalesce(x, y) = c is x = c OR y = c: y counts only where x is NULL.
 *  Witness: SELECT a, b FROM VALUES (1, 2), (NULL, 3) AS t(a, b) WHERE coalesce(a, b) = 2
 */
object CoalesceEqualsAsOr extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case EqualTo(Coalesce(values), c: Literal) => values.map(EqualTo(_, c)).reduce[Expression](Or(_, _))
  }
}
