package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types._

/** Law: x % 2^k = x & (2^k - 1): a negative x has a negative remainder.
 *  Witness: SELECT a % 2 FROM VALUES (-3) AS t(a)
 */
object RemainderAsBits extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case Remainder(x, Literal(n: Int, IntegerType), _) if isPower(n) => BitwiseAnd(x, Literal(n - 1))
    case Remainder(x, Literal(n: Long, LongType), _) if isPower(n) => BitwiseAnd(x, Literal(n - 1))
  }

  private def isPower(n: Long): Boolean = n > 0 && (n & (n - 1)) == 0
}
