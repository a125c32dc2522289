package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Window, WindowGroupLimit}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{FILTER, WINDOW}

/** Law: the first ranks of each partition are needed.
 *  Broken: they are looked for among the rows of all partitions.
 *
 *  @rule InferWindowGroupLimit
 *  @point optimizer
 */
object InferWindowGroupLimitPartitionsTogether extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(FILTER, WINDOW)) {
      case filter @ Filter(condition, window: Window)
          if WindowRanks.functions(window).forall(WindowRanks.isRank) && window.orderSpec.nonEmpty =>
        val limits = WindowRanks.limits(window, WindowRanks.conjuncts(condition))
        filter.copy(child = WindowRanks.limited(window, limits).mapChildren {
          case limit: WindowGroupLimit => limit.copy(partitionSpec = Nil)
          case child => child
        })
    }
}
