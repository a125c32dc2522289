package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{AliasHelper, AttributeSet}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.AGGREGATE

/** Law: of two aggregates the lower one is redundant if the upper one's functions don't depend on repeats.
 *  Broken: whatever they depend on, if they are asked for columns that the lower one groups by: counts are of rows.
 *
 *  @rule RemoveRedundantAggregates
 *  @point optimizer
 */
object RemoveRedundantAggregatesCountsRows extends Rule[LogicalPlan] with AliasHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUpWithPruning(_.containsPattern(AGGREGATE)) {
    case upper @ Grouped(keys, items, lower: Aggregate) if lower.groupingExpressions.nonEmpty && plain(upper, lower) =>
      val columns = getAliasMap(lower)
      upper.copy(
        groupingExpressions = keys.map(replaceAlias(_, columns)),
        aggregateExpressions = items.map(replaceAliasButKeepName(_, columns)),
        child = lower.child)
  }

  private def plain(upper: Aggregate, lower: Aggregate): Boolean =
    upper.references.subsetOf(AttributeSet(
      lower.aggregateExpressions.filterNot(AggregateExpression.containsAggregate).map(_.toAttribute)))
}
