package org.apache.spark.sql.assay

import java.io.InputStream

import scala.jdk.CollectionConverters._

import org.apache.arrow.vector.ipc.ArrowStreamReader
import org.apache.arrow.vector.types.pojo.Field

import org.apache.spark.{Partition, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.assay.connector.{LoadedTables, SourceCatalog, SourceTable}
import org.apache.spark.sql.catalyst.{InternalRow, TableIdentifier}
import org.apache.spark.sql.catalyst.catalog.{CatalogStorageFormat, CatalogTable, CatalogTableType, TemporaryViewRelation}
import org.apache.spark.sql.catalyst.expressions.{BoundReference, InterpretedUnsafeProjection, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan, Statistics}
import org.apache.spark.sql.catalyst.plans.physical.{SinglePartition, UnknownPartitioning}
import org.apache.spark.sql.catalyst.types.DataTypeUtils.toAttributes
import org.apache.spark.sql.execution.LogicalRDD
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.types.{DataType, StructType}
import org.apache.spark.sql.util.ArrowUtils
import org.apache.spark.sql.vectorized.{ArrowColumnVector, ColumnarBatch, ColumnVector}

/** A table that is read from memory, in as many partitions as the planner knows: neither a LocalRelation, which the
 *  optimizer would compute, nor in files, which would have to be written. */
private[assay] object MemoryTable {
  import Release.{Frame, Session}

  /** Which of its versions each table has, by the table's place among those that were loaded with it: all have the first
   *  one, but while [[LegRunner]] or [[PlanPair]] runs a plan once more. For all sessions: one leg runs at a time. */
  @volatile var version: Int => Int = First

  /** Restores what is read where no plan is run once more. */
  def reset(): Unit = version = First

  private lazy val First: Int => Int = _ => 0

  /** A temporary view of that name over the rows of the next Arrow IPC stream in `arrow`, all its columns nullable as in
   *  a file. Each of its batches is a version of the table; what is told of its size is the first one's. The table is
   *  number `place` of those that are loaded together: the rows are dealt out to `partitions` partitions in turn, the first
   *  one to partition `place`, or what is left of it after going round. */
  def create(spark: Session, name: String, arrow: InputStream, partitions: Int = 1, place: Int = 0): Unit = {
    val (schema, rows) = decode(arrow)
    val size = Some(Statistics(sizeInBytes = FileSize + rows.head.map(_.getSizeInBytes.toLong).sum))
    // The name is all that a plan shows of which table it reads.
    val data = new RowsRDD(spark.sparkContext, rows, partitions, place).setName(name)
    // The planner shuffles, and aggregates in part, only where a table is more than one partition.
    val partitioning = if (partitions == 1) SinglePartition else UnknownPartitioning(partitions)
    view(spark, name, LogicalRDD(toAttributes(schema), data, partitioning)(spark, size))
  }

  /** Temporary views of these names over the rows of as many Arrow IPC streams, as tables of a data source of the second
   *  kind that accept what `capabilities` says: see [[SourceTable]]. Each stream has one batch. */
  def ofSource(
      spark: Session, names: Seq[String], arrow: InputStream, partitions: Int, capabilities: Set[String]): Unit = {
    val tables = names.zipWithIndex.map { case (name, place) =>
      val (schema, rows) = decode(arrow)
      SourceTable(name, schema, rows.head.toSeq, capabilities, partitions, place)
    }
    val catalog = SourceCatalog.of(tables)
    // Statements name their table by a catalog: Spark takes no view for it.
    spark.conf.set(s"spark.sql.catalog.${SourceCatalog.Name}", classOf[LoadedTables].getName)
    tables.foreach { table =>
      val place = SourceCatalog.identifier(table.name)
      view(spark, table.name, DataSourceV2Relation.create(table, Some(catalog), Some(place)))
    }
  }

  private def view(spark: Session, name: String, leaf: LogicalPlan): Unit = {
    // As the command of a DataFrame does in the end: but that is analyzed and run as a query of its own.
    val table = CatalogTable(TableIdentifier(name), CatalogTableType.VIEW, CatalogStorageFormat.empty, leaf.schema,
      properties = Map(CatalogTable.VIEW_STORING_ANALYZED_PLAN -> "true"))
    spark.sessionState.catalog.createTempView(name, TemporaryViewRelation(table, Some(leaf)), overrideIfExists = true)
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

  /** The schema of the next Arrow IPC stream in `arrow`, and the rows of each of its batches. */
  def decode(arrow: InputStream): (StructType, Array[Array[UnsafeRow]]) = {
    val allocator = ArrowUtils.rootAllocator.newChildAllocator("assay-table", 0, Long.MaxValue)
    try {
      val reader = new ArrowStreamReader(arrow, allocator)
      try {
        val root = reader.getVectorSchemaRoot
        val schema = named(ArrowUtils.fromArrowSchema(root.getSchema), root.getSchema.getFields.asScala.toSeq)
        val project = unsafe(schema)
        val columns = root.getFieldVectors.asScala.map(new ArrowColumnVector(_): ColumnVector).toArray
        val rows = Iterator.continually(reader.loadNextBatch()).takeWhile(identity).map { _ =>
          new ColumnarBatch(columns, root.getRowCount).rowIterator.asScala.map(row => project(row).copy()).toArray
        }
        (schema, rows.toArray)
      } finally reader.close()
    } finally allocator.close()
  }

  /** `schema` with the types that Arrow has no names for, as the metadata of its `fields` say. */
  private def named(schema: StructType, fields: Seq[Field]): StructType = StructType(schema.zip(fields).map {
    case (column, field) =>
      Option(field.getMetadata.get("type")).fold(column)(text => column.copy(dataType = DataType.fromDDL(text)))
  })
}

/** Rows in partitions: those of the version that [[MemoryTable.version]] gives table number `place`. Each partition has
 *  every `count`th of them, and the first row is in partition `place` modulo `count`. Where there are fewer rows than
 *  partitions, some are empty. */
private[assay] final class RowsRDD(context: SparkContext, rows: Array[Array[UnsafeRow]], count: Int, place: Int)
  extends RDD[InternalRow](context, Nil) {

  override protected def getPartitions: Array[Partition] = Array.tabulate(count)(NumberedPartition(_))

  override def compute(split: Partition, context: TaskContext): Iterator[InternalRow] = {
    val all = rows(MemoryTable.version(place))
    Iterator.range(Math.floorMod(split.index - place, count), all.length, count).map { row =>
      context.killTaskIfInterrupted()
      all(row): InternalRow
    }
  }
}

private[assay] final case class NumberedPartition(index: Int) extends Partition
