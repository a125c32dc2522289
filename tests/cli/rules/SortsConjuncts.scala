package rules

import org.apache.spark.sql.catalyst.expressions.And
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Right: AND is commutative. It mends one AND at a time, so it isn't idempotent, and comes to an end. */
class SortsConjuncts extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    var mended = false
    plan.transformAllExpressions {
      case And(left, right) if !mended && left.sql > right.sql =>
        mended = true
        And(right, left)
    }
  }
}
