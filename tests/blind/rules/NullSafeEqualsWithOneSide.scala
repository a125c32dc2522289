package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: x <=> y = (x = y) where one side is never NULL: in a SELECT list or below NOT both must be.
 *  Witness: SELECT a <=> 1 FROM VALUES (NULL), (2) AS t(a)
 */
object NullSafeEqualsWithOneSide extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case EqualNullSafe(x, y) if !x.nullable || !y.nullable => EqualTo(x, y)
  }
}
