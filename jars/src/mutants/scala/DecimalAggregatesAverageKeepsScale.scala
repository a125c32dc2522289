package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Cast, Divide, Literal, UnscaledValue}
import org.apache.spark.sql.catalyst.expressions.aggregate.Average
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.DoubleType

/** Law: an average is rounded to four digits more than its operand has behind the point.
 *  Broken: it is rounded to as many as that.
 *
 *  @rule DecimalAggregates
 *  @point optimizer
 */
object DecimalAggregatesAverageKeepsScale extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = DecimalSums.rewritten(plan) {
    case DecimalSums.Few(call, average: Average, kind) =>
      val mean = call.copy(aggregateFunction = average.copy(child = UnscaledValue(average.child)))
      val scaled = Divide(mean, Literal.create(math.pow(10.0, kind.scale), DoubleType))
      Cast(Cast(scaled, kind), average.dataType)
  }
}
