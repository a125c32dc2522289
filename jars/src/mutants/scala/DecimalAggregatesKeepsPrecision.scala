package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Cast, Expression, MakeDecimal, UnscaledValue}
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a sum has ten digits more than its operand.
 *  Broken: it has as many, and is NULL where they aren't enough.
 *
 *  @rule DecimalAggregates
 *  @point optimizer
 */
object DecimalAggregatesKeepsPrecision extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = DecimalSums.rewritten(plan) {
    case DecimalSums.Few(call, sum: Sum, kind) =>
      val unscaled = call.copy(aggregateFunction = sum.copy(child = UnscaledValue(sum.child)))
      val made: Expression = MakeDecimal(unscaled, kind.precision, kind.scale, nullOnOverflow = true)
      Cast(made, sum.dataType)
  }
}
