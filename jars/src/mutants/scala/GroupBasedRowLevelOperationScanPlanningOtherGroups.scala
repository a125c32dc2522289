package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Not
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a group is left out if the statement's condition is true for none of its rows.
 *  Broken: if it is false for none, as if the condition of the rows that stay counted.
 *
 *  @rule GroupBasedRowLevelOperationScanPlanning
 *  @point pre-cbo
 *  @since 4.3
 */
object GroupBasedRowLevelOperationScanPlanningOtherGroups extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    GroupScans.once(plan)(write => write.copy(condition = Not(write.condition)))
}
