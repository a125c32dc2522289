package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{EqualTo, GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual}
import org.apache.spark.sql.catalyst.expressions.Literal.{FalseLiteral, TrueLiteral}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a constant beyond the narrower type decides the comparison of every value; of NULL it stays NULL.
 *  Broken: it decides that of NULL, too, so NOT of it is true of NULL.
 *
 *  @rule UnwrapCastInBinaryComparison
 *  @point optimizer
 */
object UnwrapCastInBinaryComparisonOutOfRangeIsFalse extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case Widened.Compared(comparison, cast, value) if Widened.number(value) > Widened.range(cast.child.dataType)._2 =>
      comparison match {
        case _: EqualTo | _: GreaterThan | _: GreaterThanOrEqual => FalseLiteral
        case _: LessThan | _: LessThanOrEqual => TrueLiteral
        case other => other
      }
  }
}
