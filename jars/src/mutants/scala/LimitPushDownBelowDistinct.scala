package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LocalLimit, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{AGGREGATE, LIMIT}

/** Law: one group of `SELECT DISTINCT` is any row; for more of them any number of rows may be needed.
 *  Broken: two groups are looked for among two rows, which may be the same.
 *
 *  @rule LimitPushDown
 *  @point optimizer
 */
object LimitPushDownBelowDistinct extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(LIMIT, AGGREGATE)) {
      case limit @ LocalLimit(count, groups: Aggregate) if GroupingKeys.onlyGroups(groups) =>
        limit.copy(child = groups.copy(child = Limits.capped(count, groups.child)))
    }
}
