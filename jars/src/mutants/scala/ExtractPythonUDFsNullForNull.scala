package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, If, IsNull, Literal, Or}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the function itself says what it makes of NULL.
 *  Broken: it is not called for an operand that is NULL, and the result is NULL.
 *
 *  @rule ExtractPythonUDFs
 *  @point pre-cbo
 */
object ExtractPythonUDFsNullForNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PythonCalls.changed(plan) {
    case call if call.children.nonEmpty =>
      If(call.children.map(IsNull(_): Expression).reduce(Or(_, _)), Literal(null, call.dataType), call)
  }
}
