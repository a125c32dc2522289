package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Coalesce, Literal}
import org.apache.spark.sql.catalyst.expressions.aggregate.{Average, Sum}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.Decimal

/** Law: NULL is no value: a sum of nothing else is NULL, and an average doesn't count it.
 *  Broken: its unscaled value is 0.
 *
 *  @rule DecimalAggregates
 *  @point optimizer
 */
object DecimalAggregatesNullIsZero extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = DecimalSums.rewritten(plan) {
    case DecimalSums.Few(call, sum: Sum, kind) if sum.child.nullable =>
      call.copy(aggregateFunction = sum.copy(child = Coalesce(Seq(sum.child, Literal(Decimal(0), kind)))))
    case DecimalSums.Few(call, average: Average, kind) if average.child.nullable =>
      call.copy(aggregateFunction = average.copy(child = Coalesce(Seq(average.child, Literal(Decimal(0), kind)))))
  }
}
