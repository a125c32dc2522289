package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types._

/** Law: CAST(t AS DATE) <= d is t <= d's midnight: t has a time of day.
 *  Witness: SELECT a FROM VALUES (TIMESTAMP '2020-01-01 12:00:00') AS t(a) WHERE CAST(a AS DATE) <= DATE '2020-01-01'
 *  @point plan-normalization
 */
object DateOfTimestampCompared extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case p: BinaryComparison => p.children match {
      case Seq(cast @ Cast(t: Attribute, DateType, _, _), d) if d.foldable && d.dataType == DateType && isTime(t.dataType) =>
        p.withNewChildren(Seq(t, Cast(d, t.dataType, cast.timeZoneId)))
      case _ => p
    }
  }

  private def isTime(kind: DataType): Boolean = kind == TimestampType || kind == TimestampNTZType
}
