package rules

import org.apache.spark.sql.catalyst.expressions.And
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Wrong: swaps the sides of an AND, and back again, for ever. The answers are right. */
class Loops extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Filter(And(left, right), child) if left != right => Filter(And(right, left), child)
  }
}
