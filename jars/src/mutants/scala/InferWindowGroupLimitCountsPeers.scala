package assay.mutants

import org.apache.spark.sql.catalyst.expressions.RowNumber
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Window}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{FILTER, WINDOW}

/** Law: rows are counted as the rank does that is asked for: peers share it.
 *  Broken: they are counted one by one, so that peers are lost.
 *
 *  @rule InferWindowGroupLimit
 *  @point optimizer
 */
object InferWindowGroupLimitCountsPeers extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(FILTER, WINDOW)) {
      case filter @ Filter(condition, window: Window)
          if WindowRanks.functions(window).forall(WindowRanks.isRank) && window.orderSpec.nonEmpty =>
        val limits = WindowRanks.limits(window, WindowRanks.conjuncts(condition))
        filter.copy(child = WindowRanks.limited(window, limits.map(_._1 -> RowNumber())))
    }
}
