package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LocalLimit, LogicalPlan, Window}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{LIMIT, WINDOW}

/** Law: nothing stands between the limit and the window but a projection.
 *  Broken: a filter may, and the rows that it drops are missing.
 *
 *  @rule LimitPushDownThroughWindow
 *  @point optimizer
 */
object LimitPushDownThroughWindowBelowFilter extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(LIMIT, WINDOW)) {
      case limit @ LocalLimit(count, filter @ Filter(_, window: Window))
          if window.partitionSpec.isEmpty && WindowRanks.functions(window).forall(WindowRanks.isRank) =>
        limit.copy(child = filter.copy(child = WindowRanks.ofFirst(count, window)))
    }
}
