package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Window}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: rows are put into a window's partitions by the bits of their keys, so that these are normalized first.
 *  Broken: they aren't, and 0.0 and -0.0 have a partition each.
 *
 *  @rule NormalizeFloatingNumbers
 *  @point experimental
 */
object NormalizeFloatingNumbersNotInWindows extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case window: Window => window.copy(partitionSpec = window.partitionSpec.map(Normalized.undone))
  }
}
