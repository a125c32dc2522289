package rules

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{EqualNullSafe, Expression, Or}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Wrong: the plan speaks of a column that isn't there. */
class Unresolved extends Rule[LogicalPlan] {
  private val nowhere: Expression = EqualNullSafe(UnresolvedAttribute("nowhere"), UnresolvedAttribute("nowhere"))

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Filter(condition, child) if condition.resolved => Filter(Or(condition, nowhere), child)
  }
}
