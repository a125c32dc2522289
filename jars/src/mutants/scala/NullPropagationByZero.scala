package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Divide, EqualTo, Expression, If, Literal, Remainder}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: an operator is NULL if an operand is; in ANSI mode division by zero raises.
 *  Broken: division by zero is NULL, too: its error is lost.
 *
 *  @rule NullPropagation
 *  @point optimizer
 */
object NullPropagationByZero extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case quotient: Divide if isOpen(quotient.right) => quotient.copy(right = nullIfZero(quotient.right))
    case rest: Remainder if isOpen(rest.right) => rest.copy(right = nullIfZero(rest.right))
  }

  private def nullIfZero(divisor: Expression): Expression =
    If(EqualTo(divisor, Literal.default(divisor.dataType)), Literal(null, divisor.dataType), divisor)

  private def isOpen(divisor: Expression): Boolean = divisor match {
    case If(_, Literal(null, _), _) => false
    case _ => divisor.nullable && !divisor.foldable
  }
}
