package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of rows that are equal in the keys and in the values of all sets one is enough.
 *  Broken: of rows that are equal in the keys and in the values of the first set; the other sets lose values.
 *
 *  @rule OptimizeExpand
 *  @point pre-cbo
 *  @since 4.2
 */
object OptimizeExpandFirstSet extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = RowsOnce.rewritten(plan) { groups =>
    if (RowsOnce.distinctAlone(groups)) {
      RowsOnce.each(groups, RowsOnce.columns(groups, groups.groupingExpressions ++ RowsOnce.sets(groups).head))
    } else {
      None
    }
  }
}
