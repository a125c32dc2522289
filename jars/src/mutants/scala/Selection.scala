package assay.mutants

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.expressions.{Alias, And, Attribute, AttributeMap, Expression}
import org.apache.spark.sql.catalyst.expressions.{NamedExpression, SubqueryExpression}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}

/** `SELECT columns FROM base WHERE conditions`, read off a plan that is a projection of filters of anything. */
private[mutants] final case class Selection(
    columns: Seq[NamedExpression],
    conditions: Seq[Expression],
    base: LogicalPlan) {

  /** The same rows without the conditions. */
  def unfiltered: LogicalPlan = Project(columns, base)

  /** ReplaceExceptWithFilter's condition for either side: each row has one answer, and no subquery gives it. */
  def isPlain: Boolean =
    (columns ++ conditions).forall(e => e.deterministic && !SubqueryExpression.hasSubquery(e)) && base.deterministic
}

private[mutants] object Selection {

  def of(plan: LogicalPlan): Selection = plan match {
    case Project(columns, child) => belowFilters(columns, Nil, child)
    case other => belowFilters(other.output, Nil, other)
  }

  /** The right side's condition as one over the left side's output, where `right` is `left` under more filters:
   *  both project the same columns of the same base. Columns are traced by id, never by name.
   *  None where the sides differ, or where the condition needs a column that the left side does not show. */
  def conditionOnLeft(left: Selection, right: Selection): Option[Expression] =
    if (left.isPlain && right.isPlain && left.unfiltered.sameResult(right.unfiltered)) {
      right.conditions.reduceLeftOption(And(_, _)).flatMap(translate(_, left, right))
    } else {
      None
    }

  private def translate(condition: Expression, left: Selection, right: Selection): Option[Expression] = {
    val shown = AttributeMap(left.columns.collect {
      case column: Attribute => column -> column
      case renamed @ Alias(column: Attribute, _) => column -> renamed.toAttribute
    })
    val translated = AttributeMap(right.base.output.zip(left.base.output).collect {
      case (theirs, ours) if shown.contains(ours) => theirs -> shown(ours)
    })
    if (condition.references.forall(translated.contains)) {
      Some(condition.transform { case column: Attribute => translated(column) })
    } else {
      None
    }
  }

  @tailrec
  private def belowFilters(
      columns: Seq[NamedExpression],
      conditions: Seq[Expression],
      plan: LogicalPlan): Selection = plan match {
    case Filter(condition, child) => belowFilters(columns, condition +: conditions, child)
    case base => Selection(columns, conditions, base)
  }
}
