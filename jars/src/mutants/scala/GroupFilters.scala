package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{DynamicPruningExpression, Expression, InSubquery}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, ReplaceData}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.dynamicpruning.RowLevelOperationRuntimeGroupFiltering

/** The result of Spark's rule for a statement, changed.
 *
 *  @since 4.3
 */
private[mutants] object GroupFilters {
  private def spark(write: ReplaceData): ReplaceData = {
    val rule = new RowLevelOperationRuntimeGroupFiltering(SparkSession.active.sessionState.optimizer.OptimizeSubqueries)
    rule(write).asInstanceOf[ReplaceData]
  }

  /** `plan` with other keys of the groups to read than Spark's; `change` gets the filter and the statement. */
  def changed(plan: LogicalPlan)(change: (InSubquery, ReplaceData) => Expression): LogicalPlan =
    GroupScans.once(plan) { write =>
      val filtered = spark(write)
      filtered.withNewQuery(filtered.query.transformAllExpressions {
        case DynamicPruningExpression(keys: InSubquery) => DynamicPruningExpression(change(keys, write))
      })
    }

  /** `plan` with the keys that Spark would have for another condition. */
  def under(plan: LogicalPlan)(condition: Expression => Expression): LogicalPlan = GroupScans.once(plan) { write =>
    spark(write.copy(groupFilterCondition = write.groupFilterCondition.map(condition)))
  }
}
