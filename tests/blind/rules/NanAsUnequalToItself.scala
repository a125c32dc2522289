package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: isnan(x) is x <> x, as IEEE 754 has it: in Spark NaN equals NaN.
 *  Witness: SELECT isnan(a) FROM VALUES (double('NaN')) AS t(a)
 */
object NanAsUnequalToItself extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case IsNaN(x) if x.deterministic => Not(EqualTo(x, x))
  }
}
