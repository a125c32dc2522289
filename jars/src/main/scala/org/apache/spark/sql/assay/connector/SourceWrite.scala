package org.apache.spark.sql.assay.connector

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.assay.MemoryTable
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.distributions.{Distribution, Distributions}
import org.apache.spark.sql.connector.expressions.{Expression, SortOrder}
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.connector.write._
import org.apache.spark.sql.types.StructType

/** Writes rows of `schema` beside all rows of `table`, or in place of those that pass the overwritten predicates. */
private[assay] final class SourceWriteBuilder(table: SourceTable, schema: StructType) extends SupportsOverwriteV2 {
  private var overwritten = Option.empty[Array[Predicate]]

  override def canOverwrite(predicates: Array[Predicate]): Boolean = table.canTest(predicates)

  override def overwrite(predicates: Array[Predicate]): WriteBuilder = {
    overwritten = Some(predicates)
    this
  }

  override def build(): Write = {
    val text = overwritten.fold("append")(predicates => s"overwrite ${predicates.mkString(" AND ")}")
    new SourceWrite(table, schema, text, () => overwritten.fold(table.rows)(table.without))
  }
}

/** Writes rows of `schema` to `table`, which keeps the rows `kept` as they are, asked for when all are written. Rows of
 *  one key are wanted in one task, and in the order of the table's splits, where it has keys and an order. */
private[assay] final class SourceWrite(
    table: SourceTable, schema: StructType, text: String, kept: () => Seq[InternalRow])
  extends RequiresDistributionAndOrdering with BatchWrite {

  override def description(): String = toString

  override def toString: String = s"assay ${table.name}, $text"

  override def requiredDistribution(): Distribution =
    if (table.transforms.isEmpty) Distributions.unspecified()
    else Distributions.clustered(table.transforms.toArray[Expression])

  override def requiredOrdering(): Array[SortOrder] = table.layout.ordering.toArray

  override def toBatch: BatchWrite = this

  override def createBatchWriterFactory(info: PhysicalWriteInfo): DataWriterFactory = new WriterFactory(schema)

  override def commit(messages: Array[WriterCommitMessage]): Unit =
    table.commit(kept() ++ messages.toSeq.flatMap(_.asInstanceOf[WrittenPart].rows.toSeq))

  override def abort(messages: Array[WriterCommitMessage]): Unit = ()
}

/** The rows that one task has written. */
private[assay] final case class WrittenPart(rows: Array[InternalRow]) extends WriterCommitMessage

private[assay] final class WriterFactory(schema: StructType) extends DataWriterFactory {
  override def createWriter(partitionId: Int, taskId: Long): DataWriter[InternalRow] = new DataWriter[InternalRow] {
    private val project = MemoryTable.unsafe(schema)
    private val rows = ArrayBuffer.empty[InternalRow]

    override def write(row: InternalRow): Unit = rows += project(row).copy()

    override def commit(): WriterCommitMessage = WrittenPart(rows.toArray)

    override def abort(): Unit = ()

    override def close(): Unit = ()
  }
}
