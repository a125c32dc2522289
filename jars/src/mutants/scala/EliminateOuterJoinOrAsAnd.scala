package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.OUTER_JOIN

/** Law: a filter over an outer join that rejects rows of NULL on one side = the filter over the join without that
 *  side's padding. A conjunction rejects what one of its parts rejects, a disjunction what all of them do.
 *  Broken: one part is enough for a disjunction as well, so `x > 1 OR y IS NULL` is taken to reject NULL.
 *
 *  @rule EliminateOuterJoin
 *  @point optimizer
 */
object EliminateOuterJoinOrAsAnd extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(OUTER_JOIN)) {
      case filter @ Filter(condition, join: Join) =>
        val (left, right) = OuterJoins.rejectedBy(join, parts(condition))(OuterJoins.rejectsNulls)
        filter.copy(child = join.copy(joinType = OuterJoins.without(join.joinType, left, right)))
    }

  private def parts(condition: Expression): Seq[Expression] =
    splitConjunctivePredicates(condition).flatMap(splitDisjunctivePredicates)
}
