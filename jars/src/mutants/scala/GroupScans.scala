package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, ReplaceData}
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

/** Statements that write groups of rows anew.
 *
 *  @since 4.3
 */
private[mutants] object GroupScans {
  private val Seen = TreeNodeTag[Boolean]("assay.mutants.seen")

  /** `plan` with each statement changed once, however often a batch comes back to it. */
  def once(plan: LogicalPlan)(change: ReplaceData => LogicalPlan): LogicalPlan = plan.transform {
    case write: ReplaceData if write.getTagValue(Seen).isEmpty =>
      val changed = change(write)
      changed.setTagValue(Seen, true)
      changed
  }
}
