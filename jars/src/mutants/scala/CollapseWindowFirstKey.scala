package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.WINDOW

/** Law: windows become one if all keys of their partitions are the same.
 *  Broken: the first ones are compared, and the upper window's are taken.
 *
 *  @rule CollapseWindow
 *  @point optimizer
 */
object CollapseWindowFirstKey extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(WINDOW)) {
      case WindowPairs(upper, lower)
          if WindowPairs.areSame(upper.partitionSpec.take(1), lower.partitionSpec.take(1)) &&
            WindowPairs.areSame(upper.orderSpec, lower.orderSpec) =>
        WindowPairs.merged(upper, lower)
    }
}
