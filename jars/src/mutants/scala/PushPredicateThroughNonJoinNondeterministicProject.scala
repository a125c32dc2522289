package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a filter passes a projection of deterministic expressions; a nondeterministic one depends on which rows reach it,
 *  and has another value each time that it is evaluated.
 *  Broken: it goes below any projection, with the expressions in place of their columns.
 *
 *  @rule PushPredicateThroughNonJoin
 *  @point plan-normalization
 */
object PushPredicateThroughNonJoinNondeterministicProject extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(condition, project: Project)
        if Pushdown.isPlain(condition) && !project.projectList.forall(_.deterministic) =>
      project.copy(child = Filter(Pushdown.beneath(condition, project), project.child))
  }
}
