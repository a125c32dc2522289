package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.WINDOW

/** Law: a window keeps its partition when another one goes below it.
 *  Broken: only the functions change places.
 *
 *  @rule TransposeWindow
 *  @point plan-normalization
 */
object TransposeWindowKeysStay extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(WINDOW)) {
      case WindowPairs(upper, lower) if WindowPairs.areFewer(upper.partitionSpec, lower.partitionSpec) =>
        val below = lower.copy(windowExpressions = upper.windowExpressions)
        val above = upper.copy(windowExpressions = lower.windowExpressions, child = below)
        WindowPairs.inPlaces(upper.output, above)
    }
}
