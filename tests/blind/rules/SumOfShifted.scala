package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types._

/** Law: sum(x + c) = sum(x) + c * count(*): wrong where x is NULL in some rows, which count(x) would leave out.
 *  Witness: SELECT sum(a + 1) FROM VALUES (1), (NULL) AS t(a)
 */
object SumOfShifted extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case aggregate: Aggregate => aggregate.transformExpressions {
      case f @ AggregateExpression(sum: Sum, Complete, false, None, _) =>
        sum.child match {
          case Add(x, c: Literal, _) if isInteger(x.dataType) && c.value != null =>
            val rows = Count(Literal(1)).toAggregateExpression()
            Add(sum.copy(child = x).toAggregateExpression(), Multiply(Cast(c, LongType), rows))
          case _ => f
        }
    }
  }

  private def isInteger(kind: DataType): Boolean = kind match {
    case ByteType | ShortType | IntegerType | LongType => true
    case _ => false
  }
}
