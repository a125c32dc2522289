package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types._

/** Law: CAST(CAST(d AS DECIMAL(p, s)) AS DECIMAL(q, r)) = CAST(d AS DECIMAL(q, r)): the inner scale rounds.
 *  Witness: SELECT CAST(CAST(a AS DECIMAL(3, 1)) AS DECIMAL(4, 2)) FROM VALUES (1.25) AS t(a)
 */
object DecimalCastOfCast extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case outer @ Cast(Cast(x, _: DecimalType, _, _), _: DecimalType, _, _) if x.dataType.isInstanceOf[DecimalType] =>
      outer.copy(child = x)
  }
}
