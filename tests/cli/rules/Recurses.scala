package rules

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Wrong: never comes to an end with a filter, until the stack does. */
object Recurses extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Filter(condition, child) => apply(Filter(condition, child))
  }
}
