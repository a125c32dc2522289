package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a filter over a union goes to each branch, its columns being those at the same position.
 *  Broken: where a branch has columns of those names, they are taken, so that the filter on `a` over
 *  `SELECT a, b … UNION ALL SELECT b, a …` looks at the second column of the second branch.
 *
 *  @rule PushPredicateThroughNonJoin
 *  @point plan-normalization
 */
object PushPredicateThroughNonJoinUnionByName extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(condition, union: Union)
        if !union.byName && union.children.forall(Pushdown.byName(condition, _).isDefined) =>
      union.withNewChildren(union.children.map(branch => Filter(Pushdown.byName(condition, branch).get, branch)))
  }
}
