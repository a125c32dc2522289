package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Window}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a filter passes a window by columns that it is partitioned by: it drops partitions as a whole.
 *  Broken: it passes by any column that the window doesn't make, and the rows that it drops are counted no more.
 *
 *  @rule PushPredicateThroughNonJoin
 *  @point plan-normalization
 */
object PushPredicateThroughNonJoinAnyWindowColumn extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(condition, window: Window) if Pushdown.over(window.child, Seq(condition))._1.nonEmpty =>
      window.copy(child = Filter(condition, window.child))
  }
}
