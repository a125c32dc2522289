package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: PIVOT needs only rows with one of the named values: groups without any of these have a row of NULLs.
 *  Witness: SELECT * FROM VALUES (1, 'x', 1), (2, 'y', 1) AS t(a, k, v) PIVOT (sum(v) FOR k IN ('x'))
 *  @point pre-cbo
 */
object PivotOfNamedValues extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case aggregate @ Aggregate(_, output, child, _) if !child.isInstanceOf[Filter] =>
      output.flatMap(_.collect { case AggregateExpression(pivot: PivotFirst, _, _, _, _) => pivot }).headOption match {
        case Some(pivot) =>
          val values = pivot.pivotColumnValues.map(Literal(_, pivot.pivotColumn.dataType))
          aggregate.copy(child = Filter(In(pivot.pivotColumn, values), child))
        case None => aggregate
      }
  }
}
