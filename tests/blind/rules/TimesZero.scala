package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types._

/** Law: x * 0 = 0: NULL where x is NULL, NaN where it is NaN.
 *  Witness: SELECT a * 0 FROM VALUES (1), (NULL) AS t(a)
 */
object TimesZero extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case Multiply(_, zero: Literal, _) if isZero(zero) => zero
    case Multiply(zero: Literal, _, _) if isZero(zero) => zero
  }

  private def isZero(literal: Literal): Boolean = literal.dataType match {
    case ByteType | ShortType | IntegerType | LongType | DoubleType => literal == Literal.default(literal.dataType)
    case _ => false
  }
}
