package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Add, Alias, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the columns that the function makes are read as they are.
 *  Broken: a position counts from 1.
 *
 *  @rule ExtractPythonUDTFs
 *  @point pre-cbo
 *  @since 4.3
 */
object ExtractPythonUDTFsFromOne extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PythonTables.changed(plan) {
    case made if made.generatorOutput.size == 2 =>
      val fresh = made.generatorOutput.map(_.newInstance())
      val Seq(position, element) = made.generatorOutput: @unchecked
      val shown = Seq(
        Alias(Add(fresh.head, Literal(1)), position.name)(exprId = position.exprId),
        Alias(fresh.last, element.name)(exprId = element.exprId))
      Project(made.requiredChildOutput ++ shown, made.copy(generatorOutput = fresh))
    case other => other
  }
}
