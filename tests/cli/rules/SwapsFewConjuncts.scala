package rules

import org.apache.spark.sql.catalyst.expressions.{And, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

/** Right, and seldom of any effect: it swaps one condition in ten, told by its text without the columns' ids. */
object SwapsFewConjuncts extends Rule[LogicalPlan] {
  private val Swapped = TreeNodeTag[Boolean]("swapped")

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(And(left, right), child) if filter.getTagValue(Swapped).isEmpty && isOneOfFew(filter.condition) =>
      val swapped = Filter(And(right, left), child)
      swapped.setTagValue(Swapped, true)
      swapped
  }

  private def isOneOfFew(condition: Expression): Boolean =
    condition.toString.replaceAll("#\\d+", "").hashCode % 10 == 0
}
