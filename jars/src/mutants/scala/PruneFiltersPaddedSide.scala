package assay.mutants

import org.apache.spark.sql.catalyst.plans.LeftOuter
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.FILTER

/** Law: what is known of the padded side of an outer join isn't known of the rows that the join makes.
 *  Broken: it is, so that rows of NULL stay.
 *
 *  @rule PruneFilters
 *  @point plan-normalization
 */
object PruneFiltersPaddedSide extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformWithPruning(_.containsPattern(FILTER)) {
    case filter @ Filter(_, Join(_, padded, LeftOuter, _, _)) =>
      KnownConditions.pruned(filter)(c => KnownConditions.of(padded).exists(_.semanticEquals(c)))
  }
}
