package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Divide, Expression, Literal, Remainder}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: what raises for one of the results raises where that branch is taken.
 *  Broken: a quotient by 0 is NULL in its branch, as without ANSI mode: the error is lost.
 *
 *  @rule PushFoldableIntoBranches
 *  @point optimizer
 */
object PushFoldableIntoBranchesLosesError extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case operator @ (_: Divide | _: Remainder) => pushed(operator)
  }

  private def pushed(operator: Expression): Expression = operator match {
    case Branches.Pushable(conditional, applied) =>
      val guarded = (result: Expression) => if (isZero(result)) Literal(null, operator.dataType) else applied(result)
      val otherwise = conditional.elseValue.getOrElse(Literal(null, conditional.dataType))
      conditional.copy(branches = Branches.each(conditional, guarded), elseValue = Some(guarded(otherwise)))
    case other => other
  }

  private def isZero(result: Expression): Boolean = result match {
    case Literal(0, _) => true
    case _ => false
  }
}
