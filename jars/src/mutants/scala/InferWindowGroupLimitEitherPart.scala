package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Window}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{FILTER, WINDOW}

/** Law: each part of a condition's AND limits the rank; of an OR one part may hold without the other.
 *  Broken: a part of an OR limits it.
 *
 *  @rule InferWindowGroupLimit
 *  @point optimizer
 */
object InferWindowGroupLimitEitherPart extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(FILTER, WINDOW)) {
      case filter @ Filter(condition, window: Window)
          if WindowRanks.functions(window).forall(WindowRanks.isRank) && window.orderSpec.nonEmpty =>
        val parts = WindowRanks.conjuncts(condition).flatMap(WindowRanks.disjuncts)
        filter.copy(child = WindowRanks.limited(window, WindowRanks.limits(window, parts)))
    }
}
