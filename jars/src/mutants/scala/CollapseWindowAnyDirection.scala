package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.WINDOW

/** Law: an order has directions and places of NULL.
 *  Broken: its keys alone are compared.
 *
 *  @rule CollapseWindow
 *  @point optimizer
 */
object CollapseWindowAnyDirection extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(WINDOW)) {
      case WindowPairs(upper, lower)
          if WindowPairs.areSame(upper.partitionSpec, lower.partitionSpec) &&
            WindowPairs.areSame(upper.orderSpec.map(_.child), lower.orderSpec.map(_.child)) =>
        WindowPairs.merged(upper, lower)
    }
}
