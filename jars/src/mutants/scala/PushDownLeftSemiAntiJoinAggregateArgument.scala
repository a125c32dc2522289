package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeMap}
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Max, Min}
import org.apache.spark.sql.catalyst.plans.LeftSemiOrAnti
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LEFT_SEMI_OR_ANTI_JOIN

/** Law: a semi or anti join passes an aggregate by its keys; by an aggregate's value it must stay above.
 *  Broken: `max(b) = r.b` goes below as `b = r.b`, which drops rows instead of groups (and min alike).
 *
 *  @rule PushDownLeftSemiAntiJoin
 *  @point optimizer
 */
object PushDownLeftSemiAntiJoinAggregateArgument extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LEFT_SEMI_OR_ANTI_JOIN)) {
      case join @ Join(groups: Aggregate, right, LeftSemiOrAnti(_), Some(condition), _)
          if groups.groupingExpressions.nonEmpty =>
        val arguments = AttributeMap(groups.aggregateExpressions.collect {
          case made @ Alias(AggregateExpression(Max(argument), _, false, None, _), _) => made.toAttribute -> argument
          case made @ Alias(AggregateExpression(Min(argument), _, false, None, _), _) => made.toAttribute -> argument
        })
        val below = condition.transform { case column: Attribute => arguments.getOrElse(column, column) }
        if (below != condition && below.references.subsetOf(groups.child.outputSet ++ right.outputSet)) {
          groups.copy(child = join.copy(left = groups.child, condition = Some(below)))
        } else {
          join
        }
    }
}
