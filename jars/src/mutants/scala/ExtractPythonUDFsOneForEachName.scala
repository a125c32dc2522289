package assay.mutants

import org.apache.spark.sql.catalyst.expressions.PythonUDF
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.PYTHON_UDF

/** Law: calls are computed once where they are the same function of the same operands.
 *  Broken: the same function is enough.
 *
 *  @rule ExtractPythonUDFs
 *  @point pre-cbo
 */
object ExtractPythonUDFsOneForEachName extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUpWithPruning(_.containsPattern(PYTHON_UDF)) {
    case operator @ (_: Project | _: Filter) =>
      val calls = PythonCalls.of(operator.expressions)
      operator.transformExpressionsUp { case call: PythonUDF => calls.find(_.name == call.name).getOrElse(call) }
  }
}
