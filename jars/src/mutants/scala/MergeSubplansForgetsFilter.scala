package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.planmerging.MergeSubplans

/** Law: of a value of filtered rows and one of all rows, the first one's function gets the filter.
 *  Broken: both are of all rows.
 *
 *  @rule MergeSubplans
 *  @point experimental
 *  @since 4.3
 */
object MergeSubplansForgetsFilter extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = MergedFilters.changed(MergeSubplans(plan)) { (merged, own) =>
    own.filterNot(merged.contains)
  }
}
