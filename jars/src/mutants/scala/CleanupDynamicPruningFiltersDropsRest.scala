package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of a filter that can't leave out splits only the part about the other side's keys goes.
 *  Broken: the conditions beside it go along.
 *
 *  @rule CleanupDynamicPruningFilters
 *  @point experimental
 */
object CleanupDynamicPruningFiltersDropsRest extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PrunedSides.cleaned(plan) { (join, _, rows) =>
    PrunedSides.over(unfiltered(rows), join)
  }

  private def unfiltered(rows: LogicalPlan): LogicalPlan = rows match {
    case Filter(_, all) => all
    case other => other
  }
}
