package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types._

/** Law: CAST(i AS DECIMAL or DOUBLE) >= c is i >= CAST(c AS INT): c has a fraction, which rounds to another bound.
 *  Witness: SELECT a FROM VALUES (1), (2) AS t(a) WHERE a >= 1.5D
 *  @point plan-normalization
 */
object UnwrapCastTruncating extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case p @ (_: GreaterThan | _: GreaterThanOrEqual | _: LessThan | _: LessThanOrEqual) => p.children match {
      case Seq(Cast(x: Attribute, DoubleType | _: DecimalType, _, _), c) if c.foldable && isInteger(x.dataType) =>
        p.withNewChildren(Seq(x, Cast(c, x.dataType, None, EvalMode.LEGACY)))
      case _ => p
    }
  }

  private def isInteger(kind: DataType): Boolean = kind match {
    case ByteType | ShortType | IntegerType | LongType => true
    case _ => false
  }
}
