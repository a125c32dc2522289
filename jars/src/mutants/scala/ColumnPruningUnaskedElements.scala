package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Generate, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.GENERATE

/** Law: explode stays though nothing above asks for the element: it says how often a row is there.
 *  Broken: it goes with its column.
 *
 *  @rule ColumnPruning
 *  @point optimizer
 */
object ColumnPruningUnaskedElements extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(GENERATE)) {
      case project @ Project(_, generate: Generate) if dispensable(project, generate) =>
        project.copy(child = generate.child)
      case aggregate @ Grouped(_, _, generate: Generate) if dispensable(aggregate, generate) =>
        aggregate.copy(child = generate.child)
    }

  private def dispensable(above: LogicalPlan, generate: Generate): Boolean =
    above.references.subsetOf(generate.child.outputSet)
}
