package rules

import org.apache.spark.sql.catalyst.expressions.And
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreeNodeTag

/** Right: AND is commutative. Each filter is marked, so that it is swapped once. */
object SwapsConjuncts extends Rule[LogicalPlan] {
  private val Swapped = TreeNodeTag[Boolean]("swapped")

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(And(left, right), child) if filter.getTagValue(Swapped).isEmpty =>
      val swapped = Filter(And(right, left), child)
      swapped.setTagValue(Swapped, true)
      swapped
  }
}
