package org.apache.spark.sql.assay.connector

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, JoinedRow}
import org.apache.spark.sql.catalyst.plans.{Inner, JoinType, LeftOuter, RightOuter}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.types.StructType

/** One side of a join: the columns of a scan, with the `names` that they have in the join. */
private[assay] final case class Side(batch: SourceBatch, names: Seq[String]) {
  /** All columns; those that a join may pad with NULLs are nullable. */
  def fields(isPadded: Boolean): StructType = StructType(batch.pushed.columns.zip(names).map { case (field, name) =>
    field.copy(name = name, nullable = field.nullable || isPadded)
  })
}

/** The pairs of rows of two scans for which `condition` is true. An outer join keeps each row of one side: beside NULLs if
 *  it is in no pair. Each split of the side that is kept, or of the left one, gives a split. */
private[assay] final case class Joined(left: Side, right: Side, kind: JoinType, condition: Predicate) extends Input {
  override val rowType: StructType =
    StructType(left.fields(kind == RightOuter).fields ++ right.fields(kind == LeftOuter).fields)

  private def test: Option[PushedPredicate.Test] = PushedPredicate.test(condition, rowType)

  /** Whether the source can join so. */
  def isPossible: Boolean = Seq(Inner, LeftOuter, RightOuter).contains(kind) && test.isDefined

  override def transforms: Seq[Transform] = Nil

  override def text: String =
    s"(${left.batch.text}) $kind JOIN (${right.batch.text}) ON $condition AS ${rowType.fieldNames.mkString("(", ", ", ")")}"

  override def splits: Seq[Split] = {
    val (kept, other) = if (kind == RightOuter) (right, left) else (left, right)
    val partners = other.batch.splits.flatMap(_.rows)
    val padding = new GenericInternalRow(other.names.length)
    val isMet = PushedPredicate.passes(test.toSeq) _
    def pair(row: InternalRow, partner: InternalRow): InternalRow =
      if (kind == RightOuter) new JoinedRow(partner, row) else new JoinedRow(row, partner)
    def pairs(row: InternalRow): Seq[InternalRow] = {
      val met = partners.map(pair(row, _)).filter(isMet)
      if (met.isEmpty && kind != Inner) Seq(pair(row, padding)) else met
    }
    kept.batch.splits.map(split => Split(None, split.rows.flatMap(pairs)))
  }
}
