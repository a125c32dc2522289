package rules

import org.apache.spark.sql.catalyst.expressions.And
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Wrong where rules are run once: each application makes the conditions longer. The answers are right. */
class DoublesConditions extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Filter(condition, child) => Filter(And(condition, condition), child)
  }
}
