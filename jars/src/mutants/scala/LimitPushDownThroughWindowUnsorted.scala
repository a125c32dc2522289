package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Limit, LocalLimit, LogicalPlan, Window}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{LIMIT, WINDOW}

/** Law: the rows that a limit lets through below a window are the first ones of the window's order.
 *  Broken: they are any rows, whose ranks are too small.
 *
 *  @rule LimitPushDownThroughWindow
 *  @point optimizer
 */
object LimitPushDownThroughWindowUnsorted extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(LIMIT, WINDOW)) {
      case limit @ LocalLimit(count, window: Window)
          if window.partitionSpec.isEmpty && WindowRanks.functions(window).forall(WindowRanks.isRank) &&
            window.child.maxRows.isEmpty =>
        limit.copy(child = window.copy(child = Limit(count, window.child)))
    }
}
