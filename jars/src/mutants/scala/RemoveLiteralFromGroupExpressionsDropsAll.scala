package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.AGGREGATE

/** Law: `GROUP BY k, 'a'` = `GROUP BY k`; where all keys are constant, one stays.
 *  Broken: none stays, so no rows make one group where they made none.
 *
 *  @rule RemoveLiteralFromGroupExpressions
 *  @point pre-operator-optimization
 *  @since 4.3
 */
object RemoveLiteralFromGroupExpressionsDropsAll extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(AGGREGATE)) {
      case aggregate: Aggregate =>
        aggregate.copy(groupingExpressions = aggregate.groupingExpressions.filterNot(_.foldable))
    }
}
