package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual}
import org.apache.spark.sql.catalyst.expressions.Literal.FalseLiteral
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `x < x` and `x > x` are false, `x <= x` and `x >= x` true, where x isn't NULL.
 *  Broken: all four are false of an x that is never NULL.
 *
 *  @rule SimplifyBinaryComparison
 *  @point optimizer
 */
object SimplifyBinaryComparisonOrEqual extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case LessThan(one, two) if !one.nullable && one.semanticEquals(two) => FalseLiteral
    case GreaterThan(one, two) if !one.nullable && one.semanticEquals(two) => FalseLiteral
    case LessThanOrEqual(one, two) if !one.nullable && one.semanticEquals(two) => FalseLiteral
    case GreaterThanOrEqual(one, two) if !one.nullable && one.semanticEquals(two) => FalseLiteral
  }
}
