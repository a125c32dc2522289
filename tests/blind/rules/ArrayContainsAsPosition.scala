package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: array_contains(a, x) is array_position(a, x) > 0: false, not NULL, where a has a NULL and no x.
 *  Witness: SELECT array_contains(a, 2) FROM VALUES (array(1, NULL)) AS t(a)
 */
object ArrayContainsAsPosition extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case ArrayContains(array, x) => GreaterThan(ArrayPosition(array, x), Literal(0L))
  }
}
