package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Cast, MakeDecimal, UnscaledValue}
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the sum of the unscaled values has the DISTINCT and the FILTER of the sum in whose place it is.
 *  Broken: it is of all values.
 *
 *  @rule DecimalAggregates
 *  @point optimizer
 */
object DecimalAggregatesForgetsFilter extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = DecimalSums.rewritten(plan) {
    case DecimalSums.Few(call, sum: Sum, kind) =>
      val unscaled = call.copy(
        aggregateFunction = sum.copy(child = UnscaledValue(sum.child)),
        isDistinct = false,
        filter = None)
      Cast(MakeDecimal(unscaled, kind.precision + 10, kind.scale), sum.dataType)
  }
}
