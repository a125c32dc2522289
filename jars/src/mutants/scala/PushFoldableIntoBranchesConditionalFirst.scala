package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: in each branch the operator has its operands on the sides on which they were.
 *  Broken: the result is on the left, whichever side the conditional was on: `5 - if(c, 1, 2)` is -4 or -3.
 *
 *  @rule PushFoldableIntoBranches
 *  @point optimizer
 */
object PushFoldableIntoBranchesConditionalFirst extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case operator @ Branches.Pushable(conditional, applied) =>
      val turned = (result: Expression) => resultFirst(applied(result), operator.children.head.foldable)
      val otherwise = conditional.elseValue.getOrElse(Literal(null, conditional.dataType))
      conditional.copy(branches = Branches.each(conditional, turned), elseValue = Some(turned(otherwise)))
  }

  private def resultFirst(operator: Expression, isSecond: Boolean): Expression =
    if (isSecond) operator.withNewChildren(operator.children.reverse) else operator
}
