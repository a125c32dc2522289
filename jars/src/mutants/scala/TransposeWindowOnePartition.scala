package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.WINDOW

/** Law: windows whose partitions are parts of each other stay two.
 *  Broken: they become one, by the keys that both have.
 *
 *  @rule TransposeWindow
 *  @point optimizer
 */
object TransposeWindowOnePartition extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(WINDOW)) {
      case WindowPairs(upper, lower)
          if WindowPairs.areFewer(upper.partitionSpec, lower.partitionSpec) && upper.orderSpec == lower.orderSpec =>
        WindowPairs.merged(upper, lower)
    }
}
