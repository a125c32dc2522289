package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, CurrentRow, NamedExpression, SpecifiedWindowFrame}
import org.apache.spark.sql.catalyst.expressions.{UnboundedPreceding, WindowExpression, WindowSpecDefinition}
import org.apache.spark.sql.catalyst.plans.logical.{LocalLimit, LogicalPlan, Window}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{LIMIT, WINDOW}

/** Law: a limit passes a window of functions that depend on no row behind the current one.
 *  Broken: it passes all whose frames end with the current row, though a RANGE frame has that row's peers as well.
 *
 *  @rule LimitPushDownThroughWindow
 *  @point optimizer
 */
object LimitPushDownThroughWindowCutsPeers extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(LIMIT, WINDOW)) {
      case limit @ LocalLimit(count, window: Window)
          if window.partitionSpec.isEmpty && window.orderSpec.nonEmpty &&
            window.windowExpressions.forall(endsHere) =>
        limit.copy(child = WindowRanks.ofFirst(count, window))
    }

  private def endsHere(column: NamedExpression): Boolean = column match {
    case Alias(WindowExpression(_, WindowSpecDefinition(_, _, frame: SpecifiedWindowFrame)), _) =>
      frame.lower == UnboundedPreceding && frame.upper == CurrentRow
    case _ => false
  }
}
