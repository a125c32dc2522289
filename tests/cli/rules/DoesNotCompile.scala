package rules

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

object DoesNotCompile extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = noSuchThing(plan)
}
