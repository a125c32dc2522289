package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a column of a union can be NULL if it can be in one of the branches.
 *  Broken: if it can be in the first.
 *
 *  @rule UpdateAttributeNullability
 *  @point optimizer
 */
object UpdateAttributeNullabilityFirstBranch extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case operator @ Grouped(_, _, union: Union) =>
      val firsts = union.output.zip(union.children.head.output)
      Nullability.known(operator, firsts.map { case (column, first) => column.withNullability(first.nullable) })
  }
}
