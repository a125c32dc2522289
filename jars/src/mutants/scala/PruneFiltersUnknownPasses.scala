package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.FILTER

/** Law: a row passes a filter only if its condition is true, so that NULL as a condition lets no row pass.
 *  Broken: a constant condition that isn't false goes.
 *
 *  @rule PruneFilters
 *  @point plan-normalization
 */
object PruneFiltersUnknownPasses extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformWithPruning(_.containsPattern(FILTER)) {
    case filter: Filter => KnownConditions.pruned(filter)(c => c.foldable && c.eval() != false)
  }
}
