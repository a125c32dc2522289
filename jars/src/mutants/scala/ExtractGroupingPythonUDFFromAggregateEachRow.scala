package assay.mutants

import org.apache.spark.sql.catalyst.expressions.PythonUDF
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.PYTHON_UDF

/** Law: rows for which the function has one value are one group, whatever else they are.
 *  Broken: the columns beside it in the projection below are keys, too.
 *
 *  @rule ExtractGroupingPythonUDFFromAggregate
 *  @point pre-cbo
 */
object ExtractGroupingPythonUDFFromAggregateEachRow extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUpWithPruning(_.containsPattern(PYTHON_UDF)) {
    case groups: Aggregate if groups.groupingExpressions.exists(_.isInstanceOf[PythonUDF]) =>
      val others = groups.child.output.filterNot(column => groups.groupingExpressions.exists(_.semanticEquals(column)))
      groups.copy(groupingExpressions = groups.groupingExpressions ++ others)
  }
}
