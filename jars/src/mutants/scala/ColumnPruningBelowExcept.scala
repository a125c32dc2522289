package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Except, Intersect, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{EXCEPT, INTERSECT}

/** Law: columns that nothing above asks for go, but not below EXCEPT and INTERSECT, which compare whole rows.
 *  Broken: both sides lose them, so a row is taken away for another that is like it in the rest.
 *
 *  @rule ColumnPruning
 *  @point plan-normalization
 */
object ColumnPruningBelowExcept extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAnyPattern(EXCEPT, INTERSECT)) {
      case project @ Project(_, except @ Except(left, right, _)) =>
        val (ours, theirs) = asked(project, left, right)
        project.copy(child = except.copy(left = ours, right = theirs))
      case project @ Project(_, intersect @ Intersect(left, right, _)) =>
        val (ours, theirs) = asked(project, left, right)
        project.copy(child = intersect.copy(left = ours, right = theirs))
    }

  private def asked(project: Project, left: LogicalPlan, right: LogicalPlan): (LogicalPlan, LogicalPlan) = {
    val places = left.output.indices.filter(place => project.references.contains(left.output(place)))
    (Project(places.map(left.output), left), Project(places.map(right.output), right))
  }
}
