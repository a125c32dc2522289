package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, GreaterThanOrEqual, LessThanOrEqual}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Window}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{FILTER, WINDOW}

/** Law: n <= k lets the rank k through.
 *  Broken: it is taken for n < k.
 *
 *  @rule InferWindowGroupLimit
 *  @point optimizer
 */
object InferWindowGroupLimitOneTooFew extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(FILTER, WINDOW)) {
      case filter @ Filter(condition, window: Window)
          if WindowRanks.functions(window).forall(WindowRanks.isRank) && window.orderSpec.nonEmpty =>
        val limits = WindowRanks.limits(window, WindowRanks.conjuncts(condition), most)
        filter.copy(child = WindowRanks.limited(window, limits))
    }

  private def most(condition: Expression, column: Attribute): Option[Int] = condition match {
    case _: LessThanOrEqual | _: GreaterThanOrEqual => WindowRanks.most(condition, column).map(_ - 1)
    case _ => WindowRanks.most(condition, column)
  }
}
