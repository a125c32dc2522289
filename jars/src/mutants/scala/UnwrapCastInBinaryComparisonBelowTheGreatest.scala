package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, GreaterThan, GreaterThanOrEqual, IsNotNull, IsNull, LessThan, LessThanOrEqual, Literal, Or}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.BooleanType

/** Law: a constant beyond the narrower type decides the comparison; the greatest number of the type is within.
 *  Broken: the greatest number itself counts as beyond: `CAST(s AS INT) < 32767` is true of every number.
 *
 *  @rule UnwrapCastInBinaryComparison
 *  @point optimizer
 */
object UnwrapCastInBinaryComparisonBelowTheGreatest extends Rule[LogicalPlan] {
  private val unknown = Literal(null, BooleanType)

  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case Widened.Compared(comparison, cast, value) if Widened.number(value) >= Widened.range(cast.child.dataType)._2 =>
      comparison match {
        case _: GreaterThan | _: GreaterThanOrEqual => And(IsNull(cast.child), unknown)
        case _: LessThan | _: LessThanOrEqual => Or(IsNotNull(cast.child), unknown)
        case other => other
      }
  }
}
