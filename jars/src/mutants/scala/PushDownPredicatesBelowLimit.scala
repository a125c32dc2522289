package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, GlobalLimit, LocalLimit, LogicalPlan, Offset}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: no filter passes a limit or an offset, which count the rows that reach them.
 *  Broken: it does, and the limit makes up for the rows that it drops with others.
 *
 *  @rule PushDownPredicates
 *  @point plan-normalization
 */
object PushDownPredicatesBelowLimit extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(condition, limit: GlobalLimit) => limit.copy(child = Filter(condition, limit.child))
    case Filter(condition, limit: LocalLimit) => limit.copy(child = Filter(condition, limit.child))
    case Filter(condition, offset: Offset) => offset.copy(child = Filter(condition, offset.child))
  }
}
