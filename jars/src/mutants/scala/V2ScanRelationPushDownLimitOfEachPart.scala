package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{GlobalLimit, LocalLimit, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a limit that a source has for each part of a table stays above the scan, as the limit of all rows.
 *  Broken: it goes, as if the source had seen to all of it.
 *
 *  @rule V2ScanRelationPushDown
 *  @point experimental
 */
object V2ScanRelationPushDownLimitOfEachPart extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case GlobalLimit(_, LocalLimit(_, child)) if V2Scans.under(child).exists(V2Scans.says(_, "of each split")) => child
  }
}
