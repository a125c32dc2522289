package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: below a projection each column of the condition is replaced by what the projection computes it from.
 *  Broken: by the column of its name, if there is one, so that over `SELECT b AS a, a AS b` the filter on `a` is one
 *  on the other column.
 *
 *  @rule PushPredicateThroughNonJoin
 *  @point plan-normalization
 */
object PushPredicateThroughNonJoinProjectByName extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(condition, project: Project) if Pushdown.byName(condition, project.child).isDefined =>
      project.copy(child = Filter(Pushdown.byName(condition, project.child).get, project.child))
  }
}
