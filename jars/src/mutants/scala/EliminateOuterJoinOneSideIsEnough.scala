package assay.mutants

import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.OUTER_JOIN

/** Law: an outer join below a filter is an inner join if the filter rejects the padding of each side that is padded.
 *  Broken: one side's is enough, be it the side that is never padded: a filter on the left of a full join loses the
 *  left side's rows without a partner.
 *
 *  @rule EliminateOuterJoin
 *  @point optimizer
 */
object EliminateOuterJoinOneSideIsEnough extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(OUTER_JOIN)) {
      case filter @ Filter(condition, join: Join) if isOuter(join) =>
        OuterJoins.rejected(join, condition)(OuterJoins.rejectsNulls) match {
          case (false, false) => filter
          case _ => filter.copy(child = join.copy(joinType = Inner))
        }
    }

  private def isOuter(join: Join): Boolean = OuterJoins.without(join.joinType, true, true) != join.joinType
}
