package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}

/** An aggregate's keys, results and input: what else there is differs between releases. */
private[mutants] object Grouped {
  def unapply(aggregate: Aggregate): Some[(Seq[Expression], Seq[NamedExpression], LogicalPlan)] =
    Some((aggregate.groupingExpressions, aggregate.aggregateExpressions, aggregate.child))
}
