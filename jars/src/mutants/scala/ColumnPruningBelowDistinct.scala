package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Distinct, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.DISTINCT_LIKE

/** Law: columns that nothing above asks for go, but not below a DISTINCT: they tell rows apart.
 *  Broken: they go below a DISTINCT, and rows that differed in them become one.
 *
 *  @rule ColumnPruning
 *  @point plan-normalization
 */
object ColumnPruningBelowDistinct extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(DISTINCT_LIKE)) {
      case project @ Project(_, Distinct(child)) if child.output.exists(!project.references.contains(_)) =>
        project.copy(child = Distinct(Project(child.output.filter(project.references.contains), child)))
    }
}
