package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{BinaryComparison, Cast, EvalMode}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: where the narrower type lacks the constant, the comparison is with what it is rounded to, by another operator.
 *  Broken: the operator stays: `CAST(a AS DOUBLE) >= 1.5` is `a >= 1`.
 *
 *  @rule UnwrapCastInBinaryComparison
 *  @point optimizer
 */
object UnwrapCastInBinaryComparisonTruncates extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case Widened.Compared(comparison, cast, value) if within(cast, Widened.number(value)) =>
      val narrow = Cast(value, cast.child.dataType, cast.timeZoneId, EvalMode.LEGACY)
      comparison.withNewChildren(Seq(cast.child, narrow)).asInstanceOf[BinaryComparison]
  }

  private def within(cast: Cast, number: Double): Boolean = {
    val (least, greatest) = Widened.range(cast.child.dataType)
    least < number && number < greatest
  }
}
