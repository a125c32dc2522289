package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.planmerging.MergeSubplans

/** Law: of a value of filtered rows and one of all rows, only the first one's function gets the filter.
 *  Broken: the second one's gets it, too.
 *
 *  @rule MergeSubplans
 *  @point experimental
 *  @since 4.3
 */
object MergeSubplansFilterForAll extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = MergedFilters.changed(MergeSubplans(plan)) { (merged, own) =>
    own.orElse(merged.headOption)
  }
}
