package assay.mutants

import org.apache.spark.sql.catalyst.plans.FullOuter
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.OUTER_JOIN

/** Law: a full join below a filter that rejects rows of NULL on the left = the filter over the left join, whose right
 *  side alone is padded; and the mirror image.
 *  Broken: the right join for a filter on the left, the left join for one on the right: rows of the side that is asked
 *  about are lost where they have no partner.
 *
 *  @rule EliminateOuterJoin
 *  @point optimizer
 */
object EliminateOuterJoinSwappedSides extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(OUTER_JOIN)) {
      case filter @ Filter(condition, join @ Join(_, _, FullOuter, _, _)) =>
        val (left, right) = OuterJoins.rejected(join, condition)(OuterJoins.rejectsNulls)
        filter.copy(child = join.copy(joinType = OuterJoins.without(FullOuter, right, left)))
    }
}
