package rules

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Doesn't come back from a plan with a Join and no Aggregate: no batch ends it, nothing heeds an interrupt. */
object LoopsForEver extends Rule[LogicalPlan] {
  @volatile private var turns = 0L

  override def apply(plan: LogicalPlan): LogicalPlan = {
    while (plan.exists(_.isInstanceOf[Join]) && !plan.exists(_.isInstanceOf[Aggregate])) turns += 1
    plan
  }
}
