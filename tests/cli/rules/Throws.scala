package rules

import org.apache.spark.sql.catalyst.plans.logical.{Distinct, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Wrong: gives up where it sees a DISTINCT. */
class Throws extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case distinct: Distinct => throw new UnsupportedOperationException(s"no idea of ${distinct.nodeName}")
  }
}
