package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: ORDER BY x DESC LIMIT 1 = SELECT max(x): over no rows max has one.
 *  Witness: SELECT a FROM VALUES (1), (2) AS t(a) WHERE a > 5 ORDER BY a DESC LIMIT 1
 */
object TopRowAsMaximum extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case limit @ GlobalLimit(IntegerLiteral(1), LocalLimit(IntegerLiteral(1), sort: Sort)) =>
      (sort.order, sort.child.output) match {
        case (Seq(SortOrder(x: Attribute, Descending, NullsLast, _)), Seq(only)) if x.semanticEquals(only) =>
          val renamed = Alias(x, x.name)()
          val largest = Max(renamed.toAttribute).toAggregateExpression()
          Aggregate(Nil, Seq(Alias(largest, x.name)(x.exprId)), Project(Seq(renamed), sort.child))
        case _ => limit
      }
  }
}
