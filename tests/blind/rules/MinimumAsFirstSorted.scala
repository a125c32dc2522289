package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: min(x) = the first x in ascending order: NULLs come first there, and min leaves them out.
 *  Witness: SELECT min(a) FROM VALUES (1), (NULL) AS t(a)
 */
object MinimumAsFirstSorted extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Aggregate(Nil, Seq(out @ Alias(AggregateExpression(Min(x: Attribute), _, _, None, _), name)), child, hint) =>
      val first = First(x, ignoreNulls = false).toAggregateExpression()
      val sorted = Sort(Seq(SortOrder(x, Ascending)), global = true, child)
      Aggregate(Nil, Seq(Alias(first, name)(out.exprId)), Limit(Literal(1), sorted), hint)
  }
}
