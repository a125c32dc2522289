package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.OUTER_JOIN

/** Law: a filter over an outer join that rejects rows of NULL on one side = the filter over the join without that
 *  side's padding.
 *  Broken: any condition on one side's columns is taken to reject NULL, `x IS NULL` and `coalesce(x, 0) = 0` too.
 *
 *  @rule EliminateOuterJoin
 *  @point optimizer
 */
object EliminateOuterJoinAlwaysRejects extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(OUTER_JOIN)) {
      case filter @ Filter(condition, join: Join) =>
        val (left, right) = OuterJoins.rejected(join, condition)(_ => true)
        filter.copy(child = join.copy(joinType = OuterJoins.without(join.joinType, left, right)))
    }
}
