package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression, NamedExpression}
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, First}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan, Project}

/** Aggregates by fewer keys than they had. */
private[mutants] object GroupingKeys {

  /** Whether `aggregate` just answers each group once. */
  def onlyGroups(aggregate: Aggregate): Boolean = aggregate.groupingExpressions.nonEmpty &&
    !aggregate.aggregateExpressions.exists(_.exists(_.isInstanceOf[AggregateExpression]))

  /** The expression behind `key`: one that is grouped by has become a column of a projection below. */
  def definition(key: Expression, child: LogicalPlan): Expression = (key, child) match {
    case (column: Attribute, Project(items, _)) =>
      items.collectFirst { case item: Alias if item.exprId == column.exprId => item.child }.getOrElse(column)
    case _ => key
  }

  /** `aggregate` by `keys` alone, as `transformUpWithNewOutput` wants it; where another key was shown, it is any value
   *  of the group. */
  def onlyBy(aggregate: Aggregate, keys: Seq[Expression]): (LogicalPlan, Seq[(Attribute, Attribute)]) = {
    val dropped = aggregate.groupingExpressions.filterNot(key => keys.exists(_.semanticEquals(key)))

    def anyOf(value: Expression): Expression = value match {
      case function: AggregateExpression => function
      case column: Attribute if dropped.exists(_.semanticEquals(column)) => new First(column).toAggregateExpression()
      case other => other.mapChildren(anyOf)
    }

    val shown: Seq[NamedExpression] = aggregate.aggregateExpressions.map {
      case item: Alias => Alias(anyOf(item.child), item.name)()
      case item => anyOf(item) match {
        case column: Attribute => column
        case value => Alias(value, item.name)()
      }
    }
    val regrouped = aggregate.copy(groupingExpressions = keys, aggregateExpressions = shown)
    Output.as(aggregate.output, regrouped.output, regrouped)
  }
}
