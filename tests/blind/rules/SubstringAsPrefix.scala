package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: substring(x, 1, n) = c is startswith(x, c): wrong where c is shorter than n.
 *  Witness: SELECT a FROM VALUES ('abc') AS t(a) WHERE substring(a, 1, 3) = 'ab'
 */
object SubstringAsPrefix extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case EqualTo(Substring(x, IntegerLiteral(1), IntegerLiteral(_)), c: Literal) => StartsWith(x, c)
    case EqualTo(c: Literal, Substring(x, IntegerLiteral(1), IntegerLiteral(_))) => StartsWith(x, c)
  }
}
