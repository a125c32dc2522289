package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LocalLimit, LogicalPlan, Offset}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LIMIT

/** Law: `LIMIT n OFFSET m` needs the first n + m rows of its input.
 *  Broken: n rows are let through, and m of them skipped.
 *
 *  @rule LimitPushDown
 *  @point optimizer
 *  @since 4.0
 */
object LimitPushDownIgnoresOffset extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LIMIT)) {
      case LocalLimit(count, Offset(skipped, child)) => Offset(skipped, LocalLimit(count, child))
    }
}
