package rules

import org.apache.spark.sql.catalyst.expressions.And
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

/** Right: AND is commutative. It takes up to three turns for one condition, so it isn't idempotent. */
class SwapsOneAtATime extends Rule[LogicalPlan] {
  private val turns = TreeNodeTag[Int]("turns")

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(And(left, right), child) if filter.getTagValue(turns).getOrElse(0) < 3 && left != right =>
      val swapped = Filter(And(right, left), child)
      swapped.setTagValue(turns, filter.getTagValue(turns).getOrElse(0) + 1)
      swapped
  }
}
