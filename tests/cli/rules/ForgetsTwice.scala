package rules

import org.apache.spark.sql.catalyst.plans.{Inner, LeftOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Two mistakes: it forgets conditions, and that rows of an outer join need no partner. */
object ForgetsTwice extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Filter(_, child) => child
    case join: Join if join.joinType == LeftOuter => join.copy(joinType = Inner)
  }
}
