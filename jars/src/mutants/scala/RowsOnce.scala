package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, First}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.AGGREGATE

/** Rows brought down to one for each combination of values, below aggregates of several sets of distinct values, as
 *  OptimizeExpand does it right before these rows are multiplied.
 *
 *  @since 4.2
 */
private[mutants] object RowsOnce {

  /** `plan` with other rows below such aggregates, where `below` makes any. */
  def rewritten(plan: LogicalPlan)(below: Aggregate => Option[LogicalPlan]): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(AGGREGATE)) {
      case groups: Aggregate if sets(groups).size > 1 && !groups.child.isInstanceOf[Aggregate] =>
        below(groups).map(rows => groups.copy(child = rows)).getOrElse(groups)
    }

  def functions(groups: Aggregate): Seq[AggregateExpression] =
    groups.aggregateExpressions.flatMap(_.collect { case function: AggregateExpression => function })

  /** The sets of values of which each counts once. */
  def sets(groups: Aggregate): Seq[Set[Expression]] =
    functions(groups).filter(_.isDistinct).map(_.aggregateFunction.children.filterNot(_.foldable).toSet).distinct

  /** Whether each value counts once for all functions, without a FILTER. */
  def distinctAlone(groups: Aggregate): Boolean =
    functions(groups).forall(function => function.isDistinct && function.filter.isEmpty)

  /** The columns that `expressions` read of the rows below `groups`. */
  def columns(groups: Aggregate, expressions: Iterable[Expression]): Seq[Attribute] = {
    val read = AttributeSet(expressions.flatMap(_.references))
    groups.child.output.filter(read.contains)
  }

  /** One of the rows below `groups` for each combination of values of the columns `by`, None without any; of the other
   *  columns that are read it has the first row's values.
   */
  def each(groups: Aggregate, by: Seq[Attribute]): Option[LogicalPlan] = {
    val others = groups.child.output.filter(groups.references.contains).diff(by)
    if (by.isEmpty) None else Some(Aggregate(by, by ++ others.map(first), groups.child))
  }

  private def first(column: Attribute): Alias =
    Alias(First(column, ignoreNulls = false).toAggregateExpression(), column.name)(
      exprId = column.exprId, qualifier = column.qualifier)
}
