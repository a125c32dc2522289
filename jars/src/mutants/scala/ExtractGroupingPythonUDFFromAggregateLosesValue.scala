package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Literal, NamedExpression, PythonUDF}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.PYTHON_UDF

/** Law: the select list reads the key's value where it calls the function.
 *  Broken: it reads NULL.
 *
 *  @rule ExtractGroupingPythonUDFFromAggregate
 *  @point pre-cbo
 */
object ExtractGroupingPythonUDFFromAggregateLosesValue extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUpWithPruning(_.containsPattern(PYTHON_UDF)) {
    case groups: Aggregate if groups.groupingExpressions.exists(_.isInstanceOf[PythonUDF]) =>
      groups.copy(aggregateExpressions = groups.aggregateExpressions.map {
        case key @ Alias(call: PythonUDF, _) if groups.groupingExpressions.exists(_.semanticEquals(call)) =>
          key.withNewChildren(Seq(Literal(null, call.dataType))).asInstanceOf[NamedExpression]
        case other => other
      })
  }
}
