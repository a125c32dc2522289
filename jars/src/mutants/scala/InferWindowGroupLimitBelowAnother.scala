package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Window}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{FILTER, WINDOW}

/** Law: the window whose rank is limited stands right below the filter.
 *  Broken: another one may stand between them, which counts the dropped rows, too.
 *
 *  @rule InferWindowGroupLimit
 *  @point optimizer
 */
object InferWindowGroupLimitBelowAnother extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(FILTER, WINDOW)) {
      case filter @ Filter(condition, above: Window) =>
        filter.copy(child = above.mapChildren {
          case window: Window
              if WindowRanks.functions(window).forall(WindowRanks.isRank) && window.orderSpec.nonEmpty =>
            WindowRanks.limited(window, WindowRanks.limits(window, WindowRanks.conjuncts(condition)))
          case child => child
        })
    }
}
