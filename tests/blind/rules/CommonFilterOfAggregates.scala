package blind

import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: f(x) FILTER (WHERE p) GROUP BY k = f(x) over WHERE p GROUP BY k: loses the groups without a p.
 *  Witness: SELECT a, count(*) FILTER (WHERE b > 1) FROM VALUES (1, 1), (2, 2) AS t(a, b) GROUP BY a
 */
object CommonFilterOfAggregates extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case aggregate @ Aggregate(_, output, child, _) =>
      val functions = output.flatMap(_.collect { case f: AggregateExpression => f })
      functions.flatMap(_.filter).headOption match {
        case Some(condition) if functions.forall(_.filter.exists(_.semanticEquals(condition))) =>
          aggregate.copy(child = Filter(condition, child)).transformExpressions {
            case f: AggregateExpression => f.copy(filter = None)
          }
        case _ => aggregate
      }
  }
}
