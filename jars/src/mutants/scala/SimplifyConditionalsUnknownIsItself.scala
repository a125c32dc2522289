package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{CaseWhen, Expression, If, Not}
import org.apache.spark.sql.catalyst.expressions.Literal.{FalseLiteral, TrueLiteral}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `CASE WHEN c THEN true ELSE false END` is `c <=> true`, and `c` itself only if `c` is never NULL.
 *  Broken: it is `c` in any case, and with the results exchanged NOT `c`: NULL where `c` is.
 *
 *  @rule SimplifyConditionals
 *  @point optimizer
 */
object SimplifyConditionalsUnknownIsItself extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case If(condition, one, two) if areBoth(one, two) => of(condition, one)
    case CaseWhen(Seq((condition, one)), Some(two)) if areBoth(one, two) => of(condition, one)
  }

  private def areBoth(one: Expression, two: Expression): Boolean =
    Set(one, two) == Set[Expression](TrueLiteral, FalseLiteral)

  private def of(condition: Expression, one: Expression): Expression =
    if (one == TrueLiteral) condition else Not(condition)
}
