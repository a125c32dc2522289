package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand

/** Statements that write to files, before their rows are sorted.
 *
 *  @since 4.3
 */
private[mutants] object FileWrites {
  def changed(plan: LogicalPlan)(change: InsertIntoHadoopFsRelationCommand => LogicalPlan): LogicalPlan = plan match {
    case write: InsertIntoHadoopFsRelationCommand => change(write)
    case other => other
  }
}
