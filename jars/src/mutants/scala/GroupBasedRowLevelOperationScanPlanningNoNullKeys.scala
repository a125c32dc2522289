package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Attribute, IsNotNull}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a condition may be true for rows with NULL.
 *  Broken: groups with nothing but NULL in a column of the condition are left out.
 *
 *  @rule GroupBasedRowLevelOperationScanPlanning
 *  @point pre-cbo
 *  @since 4.3
 */
object GroupBasedRowLevelOperationScanPlanningNoNullKeys extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = GroupScans.once(plan) { write =>
    val columns = write.condition.references.toSeq.filter(column => write.originalTable.outputSet.contains(column))
    write.copy(condition = columns.foldLeft(write.condition) { case (condition, column: Attribute) =>
      And(condition, IsNotNull(column))
    })
  }
}
