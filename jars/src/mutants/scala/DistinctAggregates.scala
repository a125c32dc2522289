package assay.mutants

import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.optimizer.RewriteDistinctAggregates
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.AGGREGATE

/** RewriteDistinctAggregates at work on functions that were changed before, where it has anything to do. */
private[mutants] object DistinctAggregates {

  /** `plan` with its aggregates of several distinct sets of values rewritten, their functions as `changed` makes them. */
  def rewritten(plan: LogicalPlan)(
      changed: PartialFunction[AggregateExpression, AggregateExpression]): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(AGGREGATE)) {
      case groups: Aggregate if !RewriteDistinctAggregates(groups.copy(child = groups.child)).fastEquals(groups) =>
        val other = groups.transformExpressionsDown {
          case function: AggregateExpression if changed.isDefinedAt(function) => changed(function)
        }
        RewriteDistinctAggregates(other)
    }
}
