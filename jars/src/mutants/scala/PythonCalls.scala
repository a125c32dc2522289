package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, NamedExpression, PythonUDF}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.PYTHON_UDF

/** Plans whose calls of functions in Python are changed before Spark's rules extract them. */
private[mutants] object PythonCalls {
  def of(expressions: Seq[Expression]): Seq[PythonUDF] = expressions.flatMap(_.collect { case call: PythonUDF => call })

  /** `plan` with its calls as `changed` makes them, the innermost first. */
  def changed(plan: LogicalPlan)(changed: PartialFunction[PythonUDF, Expression]): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(PYTHON_UDF)) { case operator =>
      operator.transformExpressionsUp { case call: PythonUDF if changed.isDefinedAt(call) => changed(call) }
    }

  /** `plan` with its calls over aggregate functions as `changed` makes them. */
  def ofGroups(plan: LogicalPlan)(changed: PartialFunction[PythonUDF, Expression]): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(PYTHON_UDF)) { case groups: Aggregate =>
      groups.copy(aggregateExpressions = groups.aggregateExpressions.map(_.transformUp {
        case call: PythonUDF if call.exists(_.isInstanceOf[AggregateExpression]) && changed.isDefinedAt(call) =>
          changed(call)
      }.asInstanceOf[NamedExpression]))
    }
}
