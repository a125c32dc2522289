package assay.mutants

import org.apache.spark.sql.catalyst.plans.LeftSemi
import org.apache.spark.sql.catalyst.plans.logical.{Intersect, Join, JoinHint, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.INTERSECT

/** Law: `L INTERSECT R` = `DISTINCT (L LEFT SEMI JOIN R ON l1 <=> r1 AND …)`.
 *  Broken: without the DISTINCT, a row that L holds twice is answered twice.
 *
 *  @rule ReplaceIntersectWithSemiJoin
 *  @point plan-normalization
 */
object ReplaceIntersectWithSemiJoinNoDistinct extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(INTERSECT)) {
      case intersect @ Intersect(left, right, false) =>
        val ours = Output.renamed(left)
        val matched = Join(ours, right, LeftSemi, RowEquality.nullSafe(ours, right), JoinHint.NONE)
        Output.as(intersect.output, ours.output, matched)
    }
}
