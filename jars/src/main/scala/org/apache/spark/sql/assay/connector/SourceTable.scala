package org.apache.spark.sql.assay.connector

import java.util.{EnumSet, Set => JavaSet}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.catalog.{Column, SupportsRead, Table, TableCapability}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.connector.read.ScanBuilder
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/** A table of a data source of the second kind: rows in the driver's memory, and an answer of its own for each part of a
 *  query that it has `accepted` beforehand (see [[Capability]]). It is number `place` of the tables that are loaded together;
 *  without partition transforms its rows are dealt out to `partitions` splits. */
private[assay] final class SourceTable(
    override val name: String, override val rowType: StructType, val rows: Seq[InternalRow], accepted: Set[String],
    val partitions: Int, val place: Int) extends Table with SupportsRead with Input {

  val layout: Layout = new Layout(this)

  override def splits: Seq[Split] = layout.splits

  override def transforms: Seq[Transform] = layout.transforms

  override def text: String = name

  /** Whether the table has this one of the words of [[Capability]]. */
  def offers(capability: String): Boolean = accepted.contains(capability)

  override def columns(): Array[Column] =
    rowType.fields.map(field => Column.create(field.name, field.dataType, field.nullable))

  /** Spark asks for the columns alone; before 4.1 a table has to have this, too. */
  override def schema(): StructType = rowType

  override def partitioning(): Array[Transform] = transforms.toArray

  override def capabilities(): JavaSet[TableCapability] = EnumSet.of(TableCapability.BATCH_READ)

  override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder = new SourceScanBuilder(this)
}
