package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.WINDOW

/** Law: windows become one if their orders are the same.
 *  Broken: the same partition is enough.
 *
 *  @rule CollapseWindow
 *  @point optimizer
 */
object CollapseWindowAnyOrder extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(WINDOW)) {
      case WindowPairs(upper, lower)
          if WindowPairs.areSame(upper.partitionSpec, lower.partitionSpec) &&
            upper.orderSpec.nonEmpty && lower.orderSpec.nonEmpty =>
        WindowPairs.merged(upper, lower)
    }
}
