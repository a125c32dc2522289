package assay.mutants

import org.apache.spark.sql.SaveMode
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: an overwriting INSERT takes rows away.
 *  Broken: the table keeps them.
 *
 *  @rule V1Writes
 *  @point pre-cbo
 *  @since 4.3
 */
object V1WritesKeepsOldRows extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = FileWrites.changed(plan) (_.copy(mode = SaveMode.Append))
}
