package assay.mutants

import org.apache.spark.sql.catalyst.expressions.PythonUDF
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.PYTHON_UDF

/** Law: a function without operands is a key: no rows make no group by it.
 *  Broken: as the same for all rows, it is no key, and no rows make one group where there is no other key.
 *
 *  @rule ExtractGroupingPythonUDFFromAggregate
 *  @point pre-cbo
 */
object ExtractGroupingPythonUDFFromAggregateNoKey extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUpWithPruning(_.containsPattern(PYTHON_UDF)) {
    case groups: Aggregate =>
      groups.copy(groupingExpressions = groups.groupingExpressions.filterNot(_.isInstanceOf[PythonUDF]))
  }
}
