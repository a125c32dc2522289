package rules

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Sample}
import org.apache.spark.sql.catalyst.rules.Rule

/** Waits for samples, which no drawn query takes. */
object HasAnIdleCase extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case sampled: Sample if sampled.withReplacement =>
      val below = sampled.child
      below
  }
}
