package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Window}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.WINDOW

/** Law: a window changes places with one right below it.
 *  Broken: a filter may stand between them, and the window above it sees the rows that it drops.
 *
 *  @rule TransposeWindow
 *  @point optimizer
 */
object TransposeWindowThroughFilter extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(WINDOW)) {
      case upper: Window =>
        upper.child match {
          case filter @ Filter(_, lower: Window)
              if WindowPairs.areFewer(upper.partitionSpec, lower.partitionSpec) &&
                upper.references.subsetOf(lower.child.outputSet) =>
            val turned = filter.copy(child = lower.copy(child = upper.copy(child = lower.child)))
            WindowPairs.inPlaces(upper.output, turned)
          case _ => upper
        }
    }
}
