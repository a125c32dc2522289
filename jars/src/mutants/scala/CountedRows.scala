package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression, Literal}
import org.apache.spark.sql.catalyst.expressions.{NamedExpression, ReplicateRows}
import org.apache.spark.sql.catalyst.expressions.aggregate.First
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Generate, LogicalPlan, Project, Union}

/** Bags as rows with counts: what EXCEPT ALL and INTERSECT ALL are rewritten into, and grouping by a part of a row. */
private[mutants] object CountedRows {

  /** All rows of both sides, each with the tags of its side behind its columns. */
  def tagged(left: LogicalPlan, right: LogicalPlan, tags: (String, Expression, Expression)*): Union = {
    val ours = Output.renamed(left)
    val ofLeft = tags.map { case (name, tag, _) => Alias(tag, name)() }
    val ofRight = tags.map { case (name, _, tag) => Alias(tag, name)() }
    Union(Seq(Project(ours.output ++ ofLeft, ours), Project(right.output ++ ofRight, right)))
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

  /** Each row of `child` as often as `times` says (BIGINT; not at all for zero): its `columns`, as the `wanted`. */
  def replicated(
      wanted: Seq[Attribute],
      times: Attribute,
      columns: Seq[Attribute],
      child: LogicalPlan): LogicalPlan = {
    val copies = columns.map(_.newInstance())
    val generate = Generate(
      ReplicateRows(times +: columns),
      unrequiredChildIndex = child.output.indices,
      outer = false,
      qualifier = None,
      generatorOutput = copies,
      child)
    Output.as(wanted, copies, generate)
  }
}
