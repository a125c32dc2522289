package rules

import org.apache.spark.sql.catalyst.plans.logical.{Distinct, Except, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Right, where there is an EXCEPT: its left side may have the duplicates taken out before. */
object LooksForExcept extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Except(left, right, false) if !left.isInstanceOf[Distinct] => Except(Distinct(left), right, isAll = false)
  }
}
