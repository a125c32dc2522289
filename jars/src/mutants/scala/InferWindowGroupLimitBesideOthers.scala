package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Window}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{FILTER, WINDOW}

/** Law: no function of the window depends on rows beyond those ranks.
 *  Broken: any may stand beside the rank, and has the dropped rows no longer.
 *
 *  @rule InferWindowGroupLimit
 *  @point optimizer
 */
object InferWindowGroupLimitBesideOthers extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(FILTER, WINDOW)) {
      case filter @ Filter(condition, window: Window) if window.orderSpec.nonEmpty =>
        val limits = WindowRanks.limits(window, WindowRanks.conjuncts(condition))
        filter.copy(child = WindowRanks.limited(window, limits))
    }
}
