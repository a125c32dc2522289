package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual, Not}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `NOT (a > b) = (a <= b)`, and so on.
 *  Broken: the order is turned, and equality stays where it was: `NOT (a > b)` becomes `a < b`.
 *
 *  @rule BooleanSimplification
 *  @point optimizer
 */
object BooleanSimplificationLosesEquality extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case Not(GreaterThan(one, two)) => LessThan(one, two)
    case Not(GreaterThanOrEqual(one, two)) => LessThanOrEqual(one, two)
    case Not(LessThan(one, two)) => GreaterThan(one, two)
    case Not(LessThanOrEqual(one, two)) => GreaterThanOrEqual(one, two)
  }
}
