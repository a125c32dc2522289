package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: an INSERT that overwrites partitions leaves those that it has no rows of.
 *  Broken: it takes all rows away.
 *
 *  @rule V1Writes
 *  @point pre-cbo
 *  @since 4.3
 */
object V1WritesOverwritesAllPartitions extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = FileWrites.changed(plan) { write =>
    write.copy(options = write.options + ("partitionOverwriteMode" -> "static"))
  }
}
