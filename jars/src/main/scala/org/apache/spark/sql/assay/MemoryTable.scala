package org.apache.spark.sql.assay

import java.io.InputStream

import scala.jdk.CollectionConverters._

import org.apache.arrow.vector.ipc.ArrowStreamReader

import org.apache.spark.{Partition, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.{InternalRow, TableIdentifier}
import org.apache.spark.sql.catalyst.catalog.{CatalogStorageFormat, CatalogTable, CatalogTableType, TemporaryViewRelation}
import org.apache.spark.sql.catalyst.expressions.{BoundReference, InterpretedUnsafeProjection, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, Statistics}
import org.apache.spark.sql.catalyst.plans.physical.{SinglePartition, UnknownPartitioning}
import org.apache.spark.sql.catalyst.types.DataTypeUtils.toAttributes
import org.apache.spark.sql.execution.LogicalRDD
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.ArrowUtils
import org.apache.spark.sql.vectorized.{ArrowColumnVector, ColumnarBatch, ColumnVector}

/** A table that is read from memory, in as many partitions as the planner knows: neither a LocalRelation, which the
 *  optimizer would compute, nor in files, which would have to be written. */
private[assay] object MemoryTable {
  import Release.{Frame, Session}

  /** Which of the databases that were loaded is read: the first one, but for [[LegRunner]] while it runs a plan once more.
   *  For all sessions: one leg runs at a time. */
  @volatile var database = 0

  /** A temporary view of that name over the rows of the next Arrow IPC stream in `arrow`, all its columns nullable as in
   *  a file. Each of its batches is the table as another database has it; what is told of its size is the first one's.
   *  The rows are dealt out to `partitions` partitions in turn, the first one to number `first`. */
  def create(spark: Session, name: String, arrow: InputStream, partitions: Int = 1, first: Int = 0): Unit = {
    val (schema, rows) = decode(arrow)
    val size = Some(Statistics(sizeInBytes = FileSize + rows.head.map(_.getSizeInBytes.toLong).sum))
    // The name is all that a plan shows of which table it reads.
    val data = new RowsRDD(spark.sparkContext, rows, partitions, first).setName(name)
    // The planner shuffles, and aggregates in part, only where a table is more than one partition.
    val partitioning = if (partitions == 1) SinglePartition else UnknownPartitioning(partitions)
    val leaf = LogicalRDD(toAttributes(schema), data, partitioning)(spark, size)
    // As the command of a DataFrame does in the end: but that is analyzed and run as a query of its own.
    val view = CatalogTable(TableIdentifier(name), CatalogTableType.VIEW, CatalogStorageFormat.empty, leaf.schema,
      properties = Map(CatalogTable.VIEW_STORING_ANALYZED_PLAN -> "true"))
    spark.sessionState.catalog.createTempView(name, TemporaryViewRelation(view, Some(leaf)), overrideIfExists = true)
  }

  /** The table of an Arrow IPC stream as rows in the plan itself, which the optimizer may compute with. */
  def local(spark: Session, arrow: InputStream): Frame = {
    val (schema, rows) = decode(arrow)
    Release.frame(spark, LocalRelation(toAttributes(schema), rows.flatten.toSeq))
  }

  /** Not compiled: a table's schema is hardly ever seen twice. */
  def unsafe(schema: StructType): UnsafeProjection = InterpretedUnsafeProjection.createProjection(
    schema.zipWithIndex.map { case (field, place) => BoundReference(place, field.dataType, field.nullable) })

  /** About what a file without rows takes: the planner sees tables as small as those in files, and joins them so. */
  private val FileSize = 1000L

  private def decode(arrow: InputStream): (StructType, Array[Array[UnsafeRow]]) = {
    val allocator = ArrowUtils.rootAllocator.newChildAllocator("assay-table", 0, Long.MaxValue)
    try {
      val reader = new ArrowStreamReader(arrow, allocator)
      try {
        val root = reader.getVectorSchemaRoot
        val schema = ArrowUtils.fromArrowSchema(root.getSchema)
        val project = unsafe(schema)
        val columns = root.getFieldVectors.asScala.map(new ArrowColumnVector(_): ColumnVector).toArray
        val rows = Iterator.continually(reader.loadNextBatch()).takeWhile(identity).map { _ =>
          new ColumnarBatch(columns, root.getRowCount).rowIterator.asScala.map(row => project(row).copy()).toArray
        }
        (schema, rows.toArray)
      } finally reader.close()
    } finally allocator.close()
  }
}

/** Rows in partitions: those of [[MemoryTable.database]], of which each partition has every `count`th one; the first row
 *  is in partition number `first`. Where there are fewer rows than partitions, some are empty. */
private[assay] final class RowsRDD(context: SparkContext, rows: Array[Array[UnsafeRow]], count: Int, first: Int)
  extends RDD[InternalRow](context, Nil) {

  override protected def getPartitions: Array[Partition] = Array.tabulate(count)(NumberedPartition(_))

  override def compute(split: Partition, context: TaskContext): Iterator[InternalRow] = {
    val all = rows(MemoryTable.database)
    Iterator.range(Math.floorMod(split.index - first, count), all.length, count).map { place =>
      context.killTaskIfInterrupted()
      all(place): InternalRow
    }
  }
}

private[assay] final case class NumberedPartition(index: Int) extends Partition
