package assay.mutants

import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.AGGREGATE

/** Law: DISTINCT goes from a function of all columns of a key, whose values are there once each.
 *  Broken: one column of the key is enough.
 *
 *  @rule EliminateDistinct
 *  @point plan-normalization
 */
object EliminateDistinctAnyKey extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(AGGREGATE)) {
      case aggregate: Aggregate =>
        val keys = aggregate.child.distinctKeys
        aggregate.transformExpressions {
          case call: AggregateExpression
              if call.isDistinct && keys.exists(key => call.aggregateFunction.children.exists(key.contains)) =>
            call.copy(isDistinct = false)
        }
    }
}
