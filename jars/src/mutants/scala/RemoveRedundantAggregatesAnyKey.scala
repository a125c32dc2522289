package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.AGGREGATE

/** Law: groups are the rows if all columns of one of the rows' keys are grouped by.
 *  Broken: if any column of a key is.
 *
 *  @rule RemoveRedundantAggregates
 *  @point pre-operator-optimization
 */
object RemoveRedundantAggregatesAnyKey extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUpWithPruning(_.containsPattern(AGGREGATE)) {
    case aggregate: Aggregate if GroupingKeys.onlyGroups(aggregate) && sharesAKey(aggregate) =>
      Project(aggregate.aggregateExpressions, aggregate.child)
  }

  private def sharesAKey(aggregate: Aggregate): Boolean = aggregate.child.distinctKeys.exists { key =>
    aggregate.groupingExpressions.exists(key.contains)
  }
}
