package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: count(DISTINCT x, y) = count(DISTINCT struct(x, y)): a struct of NULLs isn't NULL, and is counted.
 *  Witness: SELECT count(DISTINCT a, b) FROM VALUES (1, 1), (1, NULL) AS t(a, b)
 */
object CountDistinctOfStruct extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case f @ AggregateExpression(Count(columns), _, true, _, _) if columns.size > 1 =>
      f.copy(aggregateFunction = Count(CreateStruct(columns)))
  }
}
