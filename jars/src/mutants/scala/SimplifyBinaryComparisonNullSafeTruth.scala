package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{EqualNullSafe, Not}
import org.apache.spark.sql.catalyst.expressions.Literal.{FalseLiteral, TrueLiteral}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `(c = true) = c` and `(c = false) = NOT c`; for `<=>` just if c is never NULL: `NULL <=> true` is false.
 *  Broken: for `<=>` and any c.
 *
 *  @rule SimplifyBinaryComparison
 *  @point optimizer
 */
object SimplifyBinaryComparisonNullSafeTruth extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case EqualNullSafe(condition, TrueLiteral) => condition
    case EqualNullSafe(TrueLiteral, condition) => condition
    case EqualNullSafe(condition, FalseLiteral) => Not(condition)
    case EqualNullSafe(FalseLiteral, condition) => Not(condition)
  }
}
