package assay.mutants

import org.apache.spark.sql.catalyst.expressions.PythonUDF
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the operand of a call that is a call itself is computed first.
 *  Broken: the inner call's first operand takes its place, if it has the type.
 *
 *  @rule ExtractPythonUDFs
 *  @point pre-cbo
 */
object ExtractPythonUDFsForgetsInner extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PythonCalls.changed(plan) { case call =>
    call.withNewChildren(call.children.map {
      case inner: PythonUDF if inner.children.headOption.exists(_.dataType == inner.dataType) => inner.children.head
      case other => other
    })
  }
}
