package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression, Literal}
import org.apache.spark.sql.catalyst.expressions.{NamedExpression, ReplicateRows}
import org.apache.spark.sql.catalyst.expressions.aggregate.First
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Generate, LogicalPlan, Project, Union}

/** Bags as rows with counts: what EXCEPT ALL and INTERSECT ALL are rewritten into, and grouping by a part of a row. */
private[mutants] object CountedRows {

  /** All rows of both sides, each with the tags of its side behind its columns. */
  def tagged(left: LogicalPlan, right: LogicalPlan, tags: (String, Expression, Expression)*): Union = {
    val ofLeft = tags.map { case (name, tag, _) => Alias(tag, name)() }
    val ofRight = tags.map { case (name, _, tag) => Alias(tag, name)() }
    Union(Seq(Project(apart(left.output) ++ ofLeft, left), Project(apart(right.output) ++ ofRight, right)))
  }

  /** `columns`, one that is there twice under an expression id of its own: a union's sides may not share one. */
  private def apart(columns: Seq[Attribute]): Seq[NamedExpression] =
    columns.zipWithIndex.map { case (column, place) =>
      if (columns.take(place).exists(_.exprId == column.exprId)) Alias(column, column.name)() else column
    }

  /** `child` grouped by `keys`, its other `columns` any value of the group, then `more`; without keys a literal
   *  stands in, so that no rows make no group. */
  def grouped(
      child: LogicalPlan,
      columns: Seq[Attribute],
      keys: Seq[Attribute],
      more: Seq[NamedExpression] = Nil): Aggregate = {
    val kept = columns.map { column =>
      if (keys.exists(_.exprId == column.exprId)) column
      else Alias(new First(column).toAggregateExpression(), column.name)()
    }
    Aggregate(if (keys.isEmpty) Seq(Literal(1)) else keys, kept ++ more, child)
  }

  /** The `columns` of `child`, each row as often as `times` says (BIGINT; not at all for zero). */
  def replicated(times: Attribute, columns: Seq[Attribute], child: LogicalPlan): Generate =
    Generate(
      ReplicateRows(times +: columns),
      unrequiredChildIndex = child.output.indices,
      outer = false,
      qualifier = None,
      generatorOutput = columns.map(_.newInstance()),
      child)
}
