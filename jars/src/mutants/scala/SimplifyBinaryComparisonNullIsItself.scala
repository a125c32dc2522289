package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{EqualTo, GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual}
import org.apache.spark.sql.catalyst.expressions.Literal.{FalseLiteral, TrueLiteral}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `x = x`, `x <= x` and `x >= x` are true, `x < x` and `x > x` false, if x is never NULL; where it is, they are NULL.
 *  Broken: for every x, so `x = x` is true of NULL.
 *
 *  @rule SimplifyBinaryComparison
 *  @point optimizer
 */
object SimplifyBinaryComparisonNullIsItself extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case EqualTo(one, two) if one.semanticEquals(two) => TrueLiteral
    case LessThanOrEqual(one, two) if one.semanticEquals(two) => TrueLiteral
    case GreaterThanOrEqual(one, two) if one.semanticEquals(two) => TrueLiteral
    case LessThan(one, two) if one.semanticEquals(two) => FalseLiteral
    case GreaterThan(one, two) if one.semanticEquals(two) => FalseLiteral
  }
}
