package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Cast, Expression, GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual, Literal}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.{DateType, TimestampNTZType}

/** Law: a moment is after a day from the next day's first moment on, and not after it before that moment.
 *  Broken: the day is taken for its first moment: noon is after its own day.
 *
 *  @rule UnwrapCastInBinaryComparison
 *  @point optimizer
 */
object UnwrapCastInBinaryComparisonFirstMoment extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case comparison @ (GreaterThan(_, _) | LessThanOrEqual(_, _) | GreaterThanOrEqual(_, _) | LessThan(_, _)) =>
      comparison.children match {
        case Seq(cast: Cast, day: Literal) if isDay(cast) && day.value != null => moments(comparison, cast, day)
        case _ => comparison
      }
  }

  private def isDay(cast: Cast): Boolean = cast.dataType == DateType && cast.child.dataType == TimestampNTZType

  private def moments(comparison: Expression, cast: Cast, day: Literal): Expression =
    comparison.withNewChildren(Seq(cast.child, Cast(day, cast.child.dataType, cast.timeZoneId, cast.evalMode)))
}
