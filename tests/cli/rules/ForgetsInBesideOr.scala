package rules

import org.apache.spark.sql.catalyst.expressions.{InSubquery, Not, Or}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Wrong: `NOT (x IN q OR p)` becomes `NOT p`. */
object ForgetsInBesideOr extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Filter(Not(Or(_: InSubquery, other)), child) => Filter(Not(other), child)
  }
}
