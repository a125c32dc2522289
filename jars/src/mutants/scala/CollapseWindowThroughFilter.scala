package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Window}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.WINDOW

/** Law: windows become one if one stands right over the other.
 *  Broken: a filter may stand between them, and the upper one has the rows that it drops.
 *
 *  @rule CollapseWindow
 *  @point optimizer
 */
object CollapseWindowThroughFilter extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(WINDOW)) {
      case upper: Window =>
        upper.child match {
          case filter @ Filter(_, lower: Window)
              if WindowPairs.areSame(upper.partitionSpec, lower.partitionSpec) &&
                upper.references.subsetOf(lower.child.outputSet) =>
            filter.copy(child = upper.copy(child = lower))
          case _ => upper
        }
    }
}
