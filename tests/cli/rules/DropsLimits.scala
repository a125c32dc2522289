package rules

import org.apache.spark.sql.catalyst.plans.logical.{GlobalLimit, LocalLimit, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Wrong on purpose: a LIMIT takes every row. */
object DropsLimits extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transform { case GlobalLimit(_, LocalLimit(_, child)) => child }
}
