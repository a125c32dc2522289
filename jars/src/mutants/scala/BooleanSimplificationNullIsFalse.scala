package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Expression, Literal, Not, Or}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `x AND NOT x` is false and `x OR NOT x` true where x isn't NULL, and both are NULL where it is.
 *  Broken: false and true whatever x is.
 *
 *  @rule BooleanSimplification
 *  @point optimizer
 */
object BooleanSimplificationNullIsFalse extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case And(one, two) if areOpposite(one, two) => Literal.FalseLiteral
    case Or(one, two) if areOpposite(one, two) => Literal.TrueLiteral
  }

  private def areOpposite(one: Expression, two: Expression): Boolean =
    Not(one).semanticEquals(two) || one.semanticEquals(Not(two))
}
