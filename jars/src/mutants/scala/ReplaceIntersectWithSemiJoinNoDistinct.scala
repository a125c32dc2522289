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
    if (!plan.containsPattern(INTERSECT)) plan else plan.transformUpWithNewOutput {
      case intersect @ Intersect(left, right, false) =>
        val matched = Join(left, right, LeftSemi, RowEquality.nullSafe(left, right), JoinHint.NONE)
        Output.as(intersect.output, left.output, matched)
    }
}
