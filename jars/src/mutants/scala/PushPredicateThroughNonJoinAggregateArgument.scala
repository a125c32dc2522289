package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeMap, Expression}
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Max, Min}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a condition on grouping columns is the same for all rows of a group, so it may be evaluated below the
 *  aggregate; one on an aggregate must stay above it.
 *  Broken: `max(b) < 5` goes below as `b < 5`, which leaves out rows instead of groups (and min alike).
 *
 *  @rule PushPredicateThroughNonJoin
 *  @point plan-normalization
 */
object PushPredicateThroughNonJoinAggregateArgument extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(condition, aggregate: Aggregate) if goesBelow(condition, aggregate) =>
      aggregate.copy(child = Filter(ofArguments(condition, aggregate), aggregate.child))
  }

  private def goesBelow(condition: Expression, aggregate: Aggregate): Boolean =
    aggregate.groupingExpressions.nonEmpty &&
      Pushdown.over(aggregate.child, Seq(ofArguments(condition, aggregate)))._1.nonEmpty

  private def ofArguments(condition: Expression, aggregate: Aggregate): Expression = {
    val arguments = AttributeMap(aggregate.aggregateExpressions.collect {
      case made @ Alias(AggregateExpression(Max(argument), _, false, None, _), _) => made.toAttribute -> argument
      case made @ Alias(AggregateExpression(Min(argument), _, false, None, _), _) => made.toAttribute -> argument
    })
    Pushdown.beneath(condition, aggregate).transform {
      case column: Attribute => arguments.getOrElse(column, column)
    }
  }
}
