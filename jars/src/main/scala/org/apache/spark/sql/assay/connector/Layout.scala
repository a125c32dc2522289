package org.apache.spark.sql.assay.connector

import org.apache.spark.sql.assay.RowKey
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.connector.expressions._
import org.apache.spark.sql.types.IntegerType

/** A part of a table that one task reads; `key` are the values of the table's partition transforms, which all its rows
 *  share, or None for a part of no key. */
private[assay] final case class Split(key: Option[InternalRow], rows: Seq[InternalRow]) {
  /** The split with other rows. */
  def having(change: Seq[InternalRow] => Seq[InternalRow]): Split = copy(rows = change(rows))
}

/** How the rows of `table` are dealt out to splits: by the values of its partition transforms, if it has any, or else in
 *  turn, as [[org.apache.spark.sql.assay.RowsRDD]] does. */
private[assay] final class Layout(table: SourceTable) {
  import Layout._

  private val schema = table.rowType
  private def has(capability: String): Boolean = table.offers(capability)

  private val comparable = schema.indices.filter(i => Values.areComparable(schema(i).dataType))

  private val isReported = !has(Capability.SomeTables) || table.place % 2 == 0

  /** The places of the columns that rows are partitioned by. */
  private val keyColumns: Seq[Int] =
    if (!isReported) Nil
    else if (has(Capability.TwoKeys)) comparable.take(2)
    else if (has(Capability.Identity)) comparable.take(1)
    else if (has(Capability.Buckets)) comparable.filter(i => BucketFunction.supports(schema(i).dataType)).take(1)
    else Nil

  private val buckets: Option[Int] =
    if (has(Capability.TwoKeys) || has(Capability.Identity)) None
    else Some(if (has(Capability.OtherBuckets) && table.place % 2 == 1) ManyBuckets else FewBuckets)

  val transforms: Seq[Transform] = keyColumns.map { column =>
    buckets match {
      case Some(count) => BucketTransform(LiteralValue(count, IntegerType), Seq(reference(column)))
      case None => IdentityTransform(reference(column))
    }
  }

  /** Whether all rows of a split share the value of this column. */
  def isKey(reference: NamedReference): Boolean =
    keyColumns.nonEmpty && buckets.isEmpty && Values.column(reference, schema).exists(keyColumns.contains)

  /** The order of the rows in each split; empty unless the table keeps one. */
  val ordering: Seq[SortOrder] =
    if (!has(Capability.Ordering)) Nil
    else comparable.take(2).zip(Directions).map { case (column, (direction, nulls)) =>
      SortValue(reference(column), direction, nulls)
    }

  /** The columns by whose values splits can be left out at run time. */
  val filtered: Seq[NamedReference] =
    if (has(Capability.RuntimeFilters)) (if (keyColumns.isEmpty) comparable.take(1) else keyColumns).map(reference) else Nil

  /** All splits of the table; those of one key are next to each other, and keys are in the order of their first rows. */
  lazy val splits: Seq[Split] = {
    val dealt = if (keyColumns.isEmpty) inTurn(table.rows, table.partitions, table.place).map(Split(None, _)) else byKey
    if (ordering.isEmpty) dealt else dealt.map(_.having(_.sorted(Values.ordering(ordering, schema))))
  }

  private def byKey: Seq[Split] = {
    val types = Array.tabulate(keyColumns.length)(i => buckets.fold(schema(keyColumns(i)).dataType)(_ => IntegerType))
    val keyed = table.rows.map(row => new GenericInternalRow(keyColumns.map(keyOf(row, _)).toArray[Any]) -> row)
    val places = types.indices.toArray
    val groups = keyed.groupBy { case (key, _) => RowKey.of(key, types, places) }
    keyed.map { case (key, _) => RowKey.of(key, types, places) }.distinct.flatMap { name =>
      val key = groups(name).head._1
      val rows = groups(name).map { case (_, row) => row }
      val parts = if (has(Capability.Splits)) inTurn(rows, 2, 0).filter(_.nonEmpty) else Seq(rows)
      parts.map(Split(Some(key), _))
    }
  }

  private def keyOf(row: InternalRow, column: Int): Any = {
    val dataType = schema(column).dataType
    val value = Values.of(row, column, dataType)
    buckets.fold(value)(BucketFunction.bucketOf(value, _))
  }

  private def reference(column: Int): FieldReference = FieldReference(Seq(schema(column).name))
}

private[assay] object Layout {
  private val FewBuckets = 2
  private val ManyBuckets = 4
  private val Directions = Seq(
    (SortDirection.ASCENDING, NullOrdering.NULLS_FIRST), (SortDirection.DESCENDING, NullOrdering.NULLS_LAST))

  /** `rows` in `count` parts, in turn from part number `first`. */
  private def inTurn(rows: Seq[InternalRow], count: Int, first: Int): Seq[Seq[InternalRow]] = {
    val all = rows.toIndexedSeq
    (0 until count).map(part => Range(Math.floorMod(part - first, count), all.length, count).map(all))
  }
}
