package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, If, Literal, Not, Or}
import org.apache.spark.sql.catalyst.expressions.Literal.{FalseLiteral, TrueLiteral}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `if(c, NULL, false)` is `c AND NULL`, and so on with true and OR, if c is never NULL.
 *  Broken: for every c, so where c is NULL the result isn't false but NULL.
 *
 *  @rule SimplifyConditionals
 *  @point optimizer
 */
object SimplifyConditionalsNullOfUnknown extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case If(condition, unknown @ Literal(null, _), FalseLiteral) => And(condition, unknown)
    case If(condition, unknown @ Literal(null, _), TrueLiteral) => Or(Not(condition), unknown)
  }
}
