package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: least(x, y) > c is x > c AND y > c: least leaves NULLs out, AND doesn't.
 *  Witness: SELECT least(a, b) > 1 FROM VALUES (NULL, 2), (3, 3) AS t(a, b)
 */
object LeastAboveAsAnd extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case GreaterThan(Least(values), c: Literal) => values.map(GreaterThan(_, c)).reduce[Expression](And(_, _))
    case GreaterThanOrEqual(Least(values), c: Literal) =>
      values.map(GreaterThanOrEqual(_, c)).reduce[Expression](And(_, _))
  }
}
