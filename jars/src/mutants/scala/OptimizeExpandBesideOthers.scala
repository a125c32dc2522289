package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of equal rows one is enough if each function counts a value once.
 *  Broken: if any two do; counts and sums beside them lose repeats.
 *
 *  @rule OptimizeExpand
 *  @point pre-cbo
 *  @since 4.2
 */
object OptimizeExpandBesideOthers extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = RowsOnce.rewritten(plan) { groups =>
    if (RowsOnce.distinctAlone(groups)) None
    else RowsOnce.each(groups, groups.child.output.filter(groups.references.contains))
  }
}
