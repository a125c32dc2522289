package org.apache.spark.sql.assay.connector

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BoundReference, InterpretedUnsafeProjection, UnsafeProjection}
import org.apache.spark.sql.connector.expressions.{Expression, NamedReference, SortOrder}
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.connector.read._
import org.apache.spark.sql.connector.read.partitioning.{KeyGroupedPartitioning, Partitioning, UnknownPartitioning}
import org.apache.spark.sql.types.StructType

/** Reads the rows that are left of `input` after `pushed`. Two scans are equal if they read the same. */
private[assay] sealed class SourceScan(input: Input, protected val pushed: Pushed)
  extends Scan with SupportsReportPartitioning {

  override def readSchema(): StructType = pushed.columns

  override def description(): String = s"assay ${toBatch.text}"

  override def toBatch: SourceBatch = SourceBatch(input, pushed)

  override def outputPartitioning(): Partitioning = {
    val splits = pushed.splits(input)
    if (pushed.keepsSplits && input.transforms.nonEmpty) {
      new KeyGroupedPartitioning(input.transforms.toArray[Expression], splits.flatMap(_.key).distinct.length)
    } else new UnknownPartitioning(splits.length)
  }

  override def equals(other: Any): Boolean = other match {
    case that: SourceScan => getClass == that.getClass && toBatch == that.toBatch
    case _ => false
  }

  override def hashCode: Int = toBatch.hashCode
}

/** A scan whose splits are sorted, and which says so. */
private[assay] final class OrderedScan(table: SourceTable, pushed: Pushed)
  extends SourceScan(table, pushed) with SupportsReportOrdering {

  override def outputOrdering(): Array[SortOrder] = table.layout.ordering.toArray
}

/** A scan that leaves out splits by predicates that are known only while the query runs. */
private[assay] final class FilteredScan(table: SourceTable, pushed: Pushed)
  extends SourceScan(table, pushed) with SupportsRuntimeV2Filtering with SupportsReportOrdering {

  @volatile private var atRunTime: Seq[Predicate] = Nil

  override def outputOrdering(): Array[SortOrder] = table.layout.ordering.toArray

  /** Of the columns that are read alone: Spark looks them up among these. */
  override def filterAttributes(): Array[NamedReference] =
    table.layout.filtered.filter(Values.column(_, pushed.columns).isDefined).toArray

  override def filter(predicates: Array[Predicate]): Unit =
    atRunTime = predicates.toSeq.filter(PushedPredicate.test(_, table.rowType).isDefined)

  override def toBatch: SourceBatch = SourceBatch(table, pushed.copy(runtimeFilters = atRunTime))
}

/** The splits of a scan, with their rows. */
private[assay] final case class SourceBatch(input: Input, pushed: Pushed) extends Batch {
  def splits: Seq[Split] = pushed.splits(input)

  /** All that the rows depend on, for the text of plans. */
  def text: String = s"${input.text}, ${pushed.text}"

  override def planInputPartitions(): Array[InputPartition] = splits.map {
    case Split(Some(key), rows) => new KeyedRows(rows.toArray, key): InputPartition
    case Split(None, rows) => new Rows(rows.toArray): InputPartition
  }.toArray

  override def createReaderFactory(): PartitionReaderFactory = RowsReaderFactory
}

private[assay] sealed class Rows(val rows: Array[InternalRow]) extends InputPartition

private[assay] final class KeyedRows(rows: Array[InternalRow], key: InternalRow) extends Rows(rows) with HasPartitionKey {
  override def partitionKey(): InternalRow = key
}

private[assay] object Rows {
  /** Not compiled, as in [[org.apache.spark.sql.assay.MemoryTable.unsafe]]: rows of `read`, each of whose columns is that
   *  of `schema` at its place, or a part of it. */
  def projection(schema: StructType, places: Seq[Int], read: StructType): UnsafeProjection =
    InterpretedUnsafeProjection.createProjection(places.zip(read).map { case (place, field) =>
      PrunedValue(BoundReference(place, schema(place).dataType, schema(place).nullable), field.dataType)
    })
}

private[assay] object RowsReaderFactory extends PartitionReaderFactory {
  override def createReader(partition: InputPartition): PartitionReader[InternalRow] = {
    val rows = partition.asInstanceOf[Rows].rows
    new PartitionReader[InternalRow] {
      private var place = -1

      override def next(): Boolean = {
        place += 1
        place < rows.length
      }

      override def get(): InternalRow = rows(place)

      override def close(): Unit = ()
    }
  }
}
