package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{CaseWhen, If, IsNull, Literal}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: CASE computes a branch's value only for the rows for which its condition is true.
 *  Broken: it looks first whether the value is NULL: an expression raises from which the condition keeps values away.
 *
 *  @rule NullPropagation
 *  @point optimizer
 */
object NullPropagationBranchFirst extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case CaseWhen(Seq((condition, value)), otherwise) if value.children.nonEmpty && !value.foldable =>
      val none = Literal(null, value.dataType)
      If(IsNull(value), If(condition, none, otherwise.getOrElse(none)), If(condition, value, otherwise.getOrElse(none)))
  }
}
