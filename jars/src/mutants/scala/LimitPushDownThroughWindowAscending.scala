package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Ascending, SortOrder}
import org.apache.spark.sql.catalyst.plans.logical.{Limit, LocalLimit, LogicalPlan, Sort, Window}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{LIMIT, WINDOW}

/** Law: the first rows are those of the window's order, in the directions of its keys.
 *  Broken: they are those with the least keys, whatever the direction.
 *
 *  @rule LimitPushDownThroughWindow
 *  @point optimizer
 */
object LimitPushDownThroughWindowAscending extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(LIMIT, WINDOW)) {
      case limit @ LocalLimit(count, window: Window)
          if window.partitionSpec.isEmpty && WindowRanks.functions(window).forall(WindowRanks.isRank) &&
            window.child.maxRows.isEmpty =>
        val keys = window.orderSpec.map(key => SortOrder(key.child, Ascending))
        limit.copy(child = window.copy(child = Limit(count, Sort(keys, true, window.child))))
    }
}
