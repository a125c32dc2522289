package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: count(x) = count(1): right where x is never NULL, wrong for any other column.
 *  Witness: SELECT count(a) FROM VALUES (1), (NULL) AS t(a)
 */
object CountColumnAsRows extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case count @ AggregateExpression(Count(Seq(_: Attribute)), _, false, _, _) =>
      count.copy(aggregateFunction = Count(Literal(1)))
  }
}
