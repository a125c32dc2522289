package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{CumeDist, Expression, NTile, PercentRank}
import org.apache.spark.sql.catalyst.plans.logical.{LocalLimit, LogicalPlan, Window}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{LIMIT, WINDOW}

/** Law: a limit passes a window of functions that depend on no row behind the current one.
 *  Broken: it passes all ranks, also those that are shares of the number of rows.
 *
 *  @rule LimitPushDownThroughWindow
 *  @point optimizer
 */
object LimitPushDownThroughWindowShares extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(LIMIT, WINDOW)) {
      case limit @ LocalLimit(count, window: Window)
          if window.partitionSpec.isEmpty && WindowRanks.functions(window).forall(isAnyRank) =>
        limit.copy(child = WindowRanks.ofFirst(count, window))
    }

  private def isAnyRank(function: Expression): Boolean = function match {
    case _: PercentRank | _: CumeDist | _: NTile => true
    case _ => WindowRanks.isRank(function)
  }
}
