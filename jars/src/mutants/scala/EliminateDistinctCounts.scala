package assay.mutants

import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Count}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.AGGREGATE

/** Law: DISTINCT goes where repeats change nothing: a least or greatest value is one however often it is there.
 *  Broken: it goes from counts, too.
 *
 *  @rule EliminateDistinct
 *  @point plan-normalization
 */
object EliminateDistinctCounts extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(AGGREGATE)) {
      case aggregate: Aggregate =>
        aggregate.transformExpressions {
          case call @ AggregateExpression(_: Count, _, true, _, _) => call.copy(isDistinct = false)
        }
    }
}
