package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Count}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `count(x) = count(*)` for an x that is never NULL.
 *  Broken: for any x, so that rows with NULL are counted.
 *
 *  @rule NullPropagation
 *  @point optimizer
 */
object NullPropagationCountsNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case call @ AggregateExpression(Count(Seq(counted)), _, false, _, _) if !counted.foldable =>
      call.copy(aggregateFunction = Count(Literal(1)))
  }
}
