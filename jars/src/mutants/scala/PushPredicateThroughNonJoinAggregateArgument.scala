package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Expression
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

  private def goesBelow(condition: Expression, aggregate: Aggregate): Boolean = {
    val below = ofArguments(condition, aggregate)
    aggregate.groupingExpressions.nonEmpty && Pushdown.isPlain(below) && below.references.nonEmpty &&
      below.references.subsetOf(aggregate.child.outputSet) && !below.exists(_.isInstanceOf[AggregateExpression])
  }

  private def ofArguments(condition: Expression, aggregate: Aggregate): Expression =
    Pushdown.beneath(condition, aggregate).transform {
      case AggregateExpression(Max(argument), _, false, None, _) => argument
      case AggregateExpression(Min(argument), _, false, None, _) => argument
    }
}
