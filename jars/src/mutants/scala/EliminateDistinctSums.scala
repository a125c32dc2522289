package assay.mutants

import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Average, Sum}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.AGGREGATE

/** Law: DISTINCT goes where repeats change nothing.
 *  Broken: it goes from sums and averages, too.
 *
 *  @rule EliminateDistinct
 *  @point plan-normalization
 */
object EliminateDistinctSums extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(AGGREGATE)) {
      case aggregate: Aggregate =>
        aggregate.transformExpressions {
          case call @ AggregateExpression(_: Sum | _: Average, _, true, _, _) => call.copy(isDistinct = false)
        }
    }
}
