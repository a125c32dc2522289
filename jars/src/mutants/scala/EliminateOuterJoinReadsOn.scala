package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.OUTER_JOIN

/** Law: what a filter above an outer join rejects needs no padding. The join's own condition rejects no row of a side
 *  that is kept: it says which rows are padded.
 *  Broken: the condition in ON is read as one of a filter above.
 *
 *  @rule EliminateOuterJoin
 *  @point optimizer
 */
object EliminateOuterJoinReadsOn extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(OUTER_JOIN)) {
      case join @ Join(_, _, kind, Some(on), _) =>
        val (left, right) = OuterJoins.rejected(join, on)(OuterJoins.rejectsNulls)
        join.copy(joinType = OuterJoins.without(kind, left, right))
    }
}
