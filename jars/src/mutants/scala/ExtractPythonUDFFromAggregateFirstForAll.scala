package assay.mutants

import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: each aggregate below a call is a column of its own for the projection above.
 *  Broken: those of one type share the first one's column.
 *
 *  @rule ExtractPythonUDFFromAggregate
 *  @point pre-cbo
 */
object ExtractPythonUDFFromAggregateFirstForAll extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PythonCalls.ofGroups(plan) { case call =>
    val first = call.collectFirst { case function: AggregateExpression => function }
    call.transformUp { case function: AggregateExpression =>
      first.filter(_.dataType == function.dataType).getOrElse(function)
    }
  }
}
