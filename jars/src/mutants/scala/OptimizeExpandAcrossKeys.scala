package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of rows that are equal in the values of all sets one is enough for each combination of keys.
 *  Broken: one is for all groups together; the others lose their values, and groups may be gone.
 *
 *  @rule OptimizeExpand
 *  @point pre-cbo
 *  @since 4.2
 */
object OptimizeExpandAcrossKeys extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = RowsOnce.rewritten(plan) { groups =>
    if (groups.groupingExpressions.nonEmpty && RowsOnce.distinctAlone(groups)) {
      RowsOnce.each(groups, RowsOnce.columns(groups, RowsOnce.sets(groups).flatten))
    } else {
      None
    }
  }
}
