package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Attribute, EqualNullSafe, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** Whole rows compared column by column, by position, as set operators compare them. */
private[mutants] object RowEquality {

  /** `l1 <=> r1 AND l2 <=> r2 …`: NULL equals NULL. None for rows without columns, which are all equal. */
  def nullSafe(left: LogicalPlan, right: LogicalPlan): Option[Expression] =
    columnwise(left, right)(EqualNullSafe(_, _))

  /** `equal(l1, r1) AND equal(l2, r2) …` */
  def columnwise(left: LogicalPlan, right: LogicalPlan)(
      equal: (Attribute, Attribute) => Expression): Option[Expression] =
    left.output.zip(right.output).map { case (l, r) => equal(l, r) }.reduceLeftOption(And(_, _))
}
