package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression, ExprId, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, LogicalPlan, Project}

/** Columns that are constant, and operators that use them. */
private[mutants] object Foldables {
  type Known = Map[ExprId, Expression]

  /** The columns that `operator`, if it is a projection, or a filter of one, computes from constants. */
  def of(operator: LogicalPlan): Known = operator match {
    case Project(columns, _) =>
      columns.collect { case column: Alias if column.child.foldable => column.exprId -> column.child }.toMap
    case Filter(_, child) => of(child)
    case _ => Map.empty
  }

  /** `operator`, a projection, filter or aggregate, with the constant for each use of one of `known`. */
  def put(operator: LogicalPlan, known: Known): LogicalPlan = operator match {
    case _ if known.isEmpty => operator
    case project: Project => project.copy(projectList = project.projectList.map(shown(_, known)))
    case filter: Filter => filter.copy(condition = valuesFor(filter.condition, known))
    case aggregate: Aggregate => aggregate.copy(
      groupingExpressions = aggregate.groupingExpressions.map(valuesFor(_, known)),
      aggregateExpressions = aggregate.aggregateExpressions.map(shown(_, known)))
    case other => other
  }

  private def valuesFor(expression: Expression, known: Known): Expression = expression.transformUp {
    case column: Attribute => known.getOrElse(column.exprId, column)
  }

  private def shown(column: NamedExpression, known: Known): NamedExpression = column match {
    case found: Attribute => known.get(found.exprId).fold[NamedExpression](found) { value =>
      Alias(value, found.name)(exprId = found.exprId, qualifier = found.qualifier)
    }
    case other => other.withNewChildren(other.children.map(valuesFor(_, known))).asInstanceOf[NamedExpression]
  }
}
