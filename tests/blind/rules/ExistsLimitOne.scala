package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: EXISTS (q) = EXISTS (q LIMIT 1): wrong for a correlated q, whose condition is then asked of one row only.
 *  Witness: SELECT a FROM VALUES (1), (2) AS t(a) WHERE EXISTS (SELECT 1 FROM VALUES (1), (2) AS s(b) WHERE b = a)
 */
object ExistsLimitOne extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case exists: Exists if !exists.plan.isInstanceOf[GlobalLimit] =>
      exists.withNewPlan(Limit(Literal(1), exists.plan))
  }
}
