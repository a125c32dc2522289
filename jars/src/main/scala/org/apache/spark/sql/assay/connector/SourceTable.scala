package org.apache.spark.sql.assay.connector

import java.util.{EnumSet, Set => JavaSet}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.connector.read.ScanBuilder
import org.apache.spark.sql.connector.write.{LogicalWriteInfo, RowLevelOperationBuilder, RowLevelOperationInfo, WriteBuilder}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/** A table of a data source of the second kind: rows in the driver's memory, and an answer of its own for each part of a
 *  query that it has `accepted` beforehand (see [[Capability]]). It is number `place` of the tables that are loaded together;
 *  without partition transforms its rows are dealt out to `partitions` splits.
 *
 *  A statement writes the `written` rows, and leaves `rows` alone: queries, and each leg's statement, see those. */
private[assay] sealed class SourceTable(
    override val name: String, override val rowType: StructType, val rows: Seq[InternalRow], accepted: Set[String],
    val partitions: Int, val place: Int)
  extends Table with SupportsRead with SupportsWrite with SupportsRowLevelOperations with Input {

  val layout: Layout = new Layout(this)

  @volatile private var written = Option.empty[Seq[InternalRow]]

  /** The rows that a statement has left, or None if it hasn't written any. */
  def afterwards: Option[Seq[InternalRow]] = written

  /** The same table with other rows. */
  def holding(others: Seq[InternalRow]): SourceTable = SourceTable(name, rowType, others, accepted, partitions, place)

  /** Forgets what a statement wrote. */
  def reset(): Unit = written = None

  /** Ends a statement: the table has these rows now.
   *  @throws IllegalStateException a statement ends twice */
  def commit(rows: Seq[InternalRow]): Unit = synchronized {
    if (written.isDefined) throw new IllegalStateException(s"$name: a statement is committed twice")
    written = Some(rows)
  }

  override def splits: Seq[Split] = layout.splits

  override def transforms: Seq[Transform] = layout.transforms

  override def text: String = name

  override def toString: String = name

  /** Whether the table has this one of the words of [[Capability]]. */
  def offers(capability: String): Boolean = accepted.contains(capability)

  override def columns(): Array[Column] =
    rowType.fields.map(field => Column.create(field.name, field.dataType, field.nullable))

  /** Spark asks for the columns alone; before 4.1 a table has to have this, too. */
  override def schema(): StructType = rowType

  override def partitioning(): Array[Transform] = transforms.toArray

  override def capabilities(): JavaSet[TableCapability] = EnumSet.of(TableCapability.BATCH_READ,
    TableCapability.BATCH_WRITE, TableCapability.TRUNCATE, TableCapability.OVERWRITE_BY_FILTER)

  override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder = new SourceScanBuilder(this)

  override def newWriteBuilder(info: LogicalWriteInfo): WriteBuilder = new SourceWriteBuilder(this, info.schema)

  override def newRowLevelOperationBuilder(info: RowLevelOperationInfo): RowLevelOperationBuilder =
    () => new SourceOperation(this, info.command)

  /** Whether rows can be deleted and overwritten by all of `predicates`. */
  protected[connector] def canTest(predicates: Array[Predicate]): Boolean =
    predicates.forall(PushedPredicate.test(_, rowType).isDefined)

  /** The rows for which not all of `predicates` are true. */
  protected[connector] def without(predicates: Array[Predicate]): Seq[InternalRow] =
    rows.filterNot(PushedPredicate.passes(predicates.toSeq.map(PushedPredicate.test(_, rowType).get)))
}

/** A table that deletes rows by predicates itself, as [[Capability.Deletes]] says. */
private[assay] final class DeletingTable(
    name: String, rowType: StructType, rows: Seq[InternalRow], accepted: Set[String], partitions: Int, place: Int)
  extends SourceTable(name, rowType, rows, accepted, partitions, place) with SupportsDeleteV2 {

  override def canDeleteWhere(predicates: Array[Predicate]): Boolean = canTest(predicates)

  override def deleteWhere(predicates: Array[Predicate]): Unit = commit(without(predicates))
}

private[assay] object SourceTable {
  def apply(
      name: String, rowType: StructType, rows: Seq[InternalRow], accepted: Set[String], partitions: Int,
      place: Int): SourceTable =
    if (accepted.contains(Capability.Deletes)) new DeletingTable(name, rowType, rows, accepted, partitions, place)
    else new SourceTable(name, rowType, rows, accepted, partitions, place)
}
