package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, DynamicPruningSubquery}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.dynamicpruning.PartitionPruning

/** Law: the keys are values of the column that the join compares with the split's.
 *  Broken: they are values of the last column of that type.
 *
 *  @rule PartitionPruning
 *  @point experimental
 */
object PartitionPruningOtherColumn extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PartitionPruning(plan).transformAllExpressions {
    case keys: DynamicPruningSubquery =>
      val columns = keys.plan.output
      keys.withNewPlan(Project(columns.map { column =>
        Alias(columns.filter(_.dataType == column.dataType).last, column.name)(exprId = column.exprId)
      }, keys.plan))
  }
}
