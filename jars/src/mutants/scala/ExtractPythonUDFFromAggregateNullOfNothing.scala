package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, If, IsNull, Literal, Or}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the function is called for an aggregate that is NULL, too.
 *  Broken: of NULL, as of no rows, the column is NULL.
 *
 *  @rule ExtractPythonUDFFromAggregate
 *  @point pre-cbo
 */
object ExtractPythonUDFFromAggregateNullOfNothing extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PythonCalls.ofGroups(plan) {
    case call if call.children.exists(_.isInstanceOf[AggregateExpression]) =>
      If(call.children.map(IsNull(_): Expression).reduce(Or(_, _)), Literal(null, call.dataType), call)
  }
}
