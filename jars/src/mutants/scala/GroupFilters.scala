package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{DynamicPruningExpression, Expression, InSubquery}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, ReplaceData}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.dynamicpruning.RowLevelOperationRuntimeGroupFiltering

/** What Spark's rule makes of a statement, changed.
 *
 *  @since 4.3
 */
private[mutants] object GroupFilters {
  /** `plan` with the keys of the groups to read, as Spark has them. */
  def of(plan: LogicalPlan): LogicalPlan =
    new RowLevelOperationRuntimeGroupFiltering(SparkSession.active.sessionState.optimizer.OptimizeSubqueries)(plan)

  /** The same with other keys; `change` gets the filter and the statement. */
  def changed(plan: LogicalPlan)(change: (InSubquery, ReplaceData) => Expression): LogicalPlan = of(plan).transform {
    case write: ReplaceData => write.withNewQuery(write.query.transformAllExpressions {
      case DynamicPruningExpression(keys: InSubquery) => DynamicPruningExpression(change(keys, write))
    })
  }

  /** Spark's own rule for the statement as if it had another condition. */
  def under(plan: LogicalPlan)(condition: ReplaceData => Expression): LogicalPlan =
    of(plan.transform { case write: ReplaceData => write.copy(groupFilterCondition = write.groupFilterCondition.map(_ =>
      condition(write)))
    })
}
