package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{BinaryComparison, Cast, EvalMode}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.DoubleType

/** Law: a constant that the narrower type has no room for decides the comparison by itself.
 *  Broken: it is cast as without ANSI mode, and loses its upper bits: `CAST(s AS INT) < 32768` is `s < -32768`.
 *
 *  @rule UnwrapCastInBinaryComparison
 *  @point optimizer
 */
object UnwrapCastInBinaryComparisonWrapsAround extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case Widened.Compared(comparison, cast, value) if cast.dataType != DoubleType =>
      val narrow = Cast(value, cast.child.dataType, cast.timeZoneId, EvalMode.LEGACY)
      comparison.withNewChildren(Seq(cast.child, narrow)).asInstanceOf[BinaryComparison]
  }
}
