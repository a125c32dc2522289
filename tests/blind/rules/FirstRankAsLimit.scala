package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: rank() = 1 over the whole input needs the first row alone: rows that tie with it have rank 1 too.
 *  Witness: SELECT * FROM (SELECT a, rank() OVER (ORDER BY a) AS r FROM VALUES (1), (1) AS t(a)) WHERE r = 1
 */
object FirstRankAsLimit extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(condition, window: Window)
        if window.partitionSpec.isEmpty && window.orderSpec.nonEmpty && !window.child.isInstanceOf[GlobalLimit] =>
      window.windowExpressions match {
        case Seq(out @ Alias(WindowExpression(_: Rank | _: RowNumber, _), _)) if keepsFirst(condition, out.toAttribute) =>
          val first = Limit(Literal(1), Sort(window.orderSpec, global = true, window.child))
          filter.copy(child = window.copy(child = first))
        case _ => filter
      }
  }

  private def keepsFirst(condition: Expression, rank: Attribute): Boolean =
    splitConjunctivePredicates(condition).exists {
      case EqualTo(column, IntegerLiteral(1)) => column.semanticEquals(rank)
      case LessThanOrEqual(column, IntegerLiteral(1)) => column.semanticEquals(rank)
      case LessThan(column, IntegerLiteral(2)) => column.semanticEquals(rank)
      case _ => false
    }
}
