package assay.mutants

import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Max, Min}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.AGGREGATE

/** Law: max(DISTINCT x) FILTER (WHERE c) = max(x) FILTER (WHERE c).
 *  Broken: the FILTER goes with DISTINCT.
 *
 *  @rule EliminateDistinct
 *  @point plan-normalization
 */
object EliminateDistinctLosesFilter extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(AGGREGATE)) {
      case aggregate: Aggregate =>
        aggregate.transformExpressions {
          case call @ AggregateExpression(_: Max | _: Min, _, true, _, _) =>
            call.copy(isDistinct = false, filter = None)
        }
    }
}
