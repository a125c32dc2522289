package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, ReplaceData}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation

/** Statements that write groups of rows anew, and the scans of their groups.
 *
 *  @since 4.3
 */
private[mutants] object GroupScans {
  private val Seen = TreeNodeTag[Boolean]("assay.mutants.seen")

  /** Whether the scan reads groups that a statement writes anew. */
  def isOne(scan: DataSourceV2ScanRelation): Boolean = scan.scan.description().startsWith("assay groups of ")

  /** `plan` with each statement changed once, however often a batch comes back to it. */
  def once(plan: LogicalPlan)(change: ReplaceData => LogicalPlan): LogicalPlan = plan.transform {
    case write: ReplaceData if write.getTagValue(Seen).isEmpty =>
      val changed = change(write)
      changed.setTagValue(Seen, true)
      changed
  }
}
