package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, NamedExpression}
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}

/** The aggregates that MergeSubplans makes of values of filtered and of all rows. */
private[mutants] object MergedFilters {

  /** `plan` with each function of such an aggregate under another filter, given all the merged ones and its own. */
  def changed(plan: LogicalPlan)(filter: (Seq[Expression], Option[Expression]) => Option[Expression]): LogicalPlan =
    plan.transformDownWithSubqueries {
      case aggregate: Aggregate if filters(aggregate).nonEmpty =>
        val merged = filters(aggregate)
        aggregate.copy(aggregateExpressions = aggregate.aggregateExpressions.map(_.transform {
          case function: AggregateExpression => function.copy(filter = filter(merged, function.filter))
        }.asInstanceOf[NamedExpression]))
    }

  private def filters(aggregate: Aggregate): Seq[Expression] = aggregate.aggregateExpressions.flatMap(_.collect {
    case function: AggregateExpression => function.filter.filter(isMerged)
  }.flatten).distinct

  private def isMerged(filter: Expression): Boolean = filter match {
    case column: Attribute => column.name.startsWith("propagatedFilter")
    case _ => false
  }
}
