package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types._

/** Law: x + c > d is x > d - c: x + c may overflow, which is an error.
 *  Witness: SELECT a + 1 > 5 FROM VALUES (2147483647) AS t(a)
 */
object ConstantAcrossComparison extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case p @ (_: GreaterThan | _: GreaterThanOrEqual | _: LessThan | _: LessThanOrEqual | _: EqualTo) => p.children match {
      case Seq(Add(x, Literal(c: Int, IntegerType), _), Literal(d: Int, IntegerType)) if (d.toLong - c).isValidInt =>
        p.withNewChildren(Seq(x, Literal(d - c)))
      case _ => p
    }
  }
}
