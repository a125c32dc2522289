package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, EqualNullSafe, EqualTo, Expression}
import org.apache.spark.sql.catalyst.plans.LeftSemi
import org.apache.spark.sql.catalyst.plans.logical.{Distinct, Intersect, Join, JoinHint, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.INTERSECT

/** Law: `L INTERSECT R` = `DISTINCT (L LEFT SEMI JOIN R ON l1 <=> r1 AND …)`; and since INTERSECT commutes, the sides
 *  may be swapped: that alone is no mistake.
 *  Broken: after the swap `<=>` is kept just where the sides differ in nullability, as if columns of equal
 *  nullability needed no care. `=` will do where either side has no NULL; where both may be NULL it loses rows.
 *
 *  @rule ReplaceIntersectWithSemiJoin
 *  @point plan-normalization
 */
object ReplaceIntersectWithSemiJoinSwappedNullability extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.containsPattern(INTERSECT)) plan else plan.transformUpWithNewOutput {
      case intersect @ Intersect(left, right, false) =>
        val matched = Join(right, left, LeftSemi, RowEquality.columnwise(right, left)(equal), JoinHint.NONE)
        Output.as(intersect.output, right.output, Distinct(matched))
    }

  private def equal(one: Attribute, other: Attribute): Expression =
    if (one.nullable != other.nullable) EqualNullSafe(one, other) else EqualTo(one, other)
}
