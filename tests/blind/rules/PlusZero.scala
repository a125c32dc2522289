package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types._

/** Law: x + 0.0 = x for doubles: -0.0 + 0.0 is 0.0.
 *  Witness: SELECT a + 0D FROM VALUES (-0.0D) AS t(a)
 */
object PlusZero extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case Add(x, Literal(0.0d, DoubleType), _) => x
    case Add(Literal(0.0d, DoubleType), x, _) => x
  }
}
