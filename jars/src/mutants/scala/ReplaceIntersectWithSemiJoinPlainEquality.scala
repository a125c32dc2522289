package assay.mutants

import org.apache.spark.sql.catalyst.expressions.EqualTo
import org.apache.spark.sql.catalyst.plans.LeftSemi
import org.apache.spark.sql.catalyst.plans.logical.{Distinct, Intersect, Join, JoinHint, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.INTERSECT

/** Law: `L INTERSECT R` = `DISTINCT (L LEFT SEMI JOIN R ON l1 <=> r1 AND …)`.
 *  Broken: `=` for `<=>`, so a row with a NULL that both sides hold is lost.
 *
 *  @rule ReplaceIntersectWithSemiJoin
 *  @point plan-normalization
 */
object ReplaceIntersectWithSemiJoinPlainEquality extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.containsPattern(INTERSECT)) plan else plan.transformUpWithNewOutput {
      case intersect @ Intersect(left, right, false) =>
        val equal = RowEquality.columnwise(left, right)(EqualTo(_, _))
        Output.as(intersect.output, left.output, Distinct(Join(left, right, LeftSemi, equal, JoinHint.NONE)))
    }
}
