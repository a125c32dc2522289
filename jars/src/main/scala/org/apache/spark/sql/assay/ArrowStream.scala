package org.apache.spark.sql.assay

import java.io.ByteArrayOutputStream

import scala.jdk.CollectionConverters._

import org.apache.arrow.vector.VectorSchemaRoot
import org.apache.arrow.vector.ipc.ArrowStreamWriter
import org.apache.arrow.vector.types.IntervalUnit
import org.apache.arrow.vector.types.pojo.{ArrowType, Field, FieldType, Schema}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.arrow.ArrowWriter
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.ArrowUtils

/** Rows as one Arrow IPC stream: the schema and one batch, timestamps in UTC, column names as they are (repeated ones,
 *  too). A type that Arrow has not raises Spark's own UNSUPPORTED_DATATYPE. */
private[assay] object ArrowStream {
  def encode(rows: Array[InternalRow], schema: StructType): Array[Byte] = {
    val arrow = readable(ArrowUtils.toArrowSchema(schema, "UTC", false, false))
    val allocator = ArrowUtils.rootAllocator.newChildAllocator("assay", 0, Long.MaxValue)
    try {
      val root = VectorSchemaRoot.create(arrow, allocator)
      try {
        val bytes = new ByteArrayOutputStream
        val stream = new ArrowStreamWriter(root, null, bytes)
        val writer = ArrowWriter.create(root)
        stream.start()
        rows.foreach(writer.write)
        writer.finish()
        stream.writeBatch()
        stream.end()
        bytes.toByteArray
      } finally root.close()
    } finally allocator.close()
  }

  /** Months, which pyarrow can't read, as the integers that they are; the metadata of their fields name the type. */
  private def readable(schema: Schema): Schema = new Schema(schema.getFields.asScala.map(readable).asJava)

  private def readable(field: Field): Field = field.getType match {
    case interval: ArrowType.Interval if interval.getUnit == IntervalUnit.YEAR_MONTH =>
      val named = Map("assay.type" -> "interval[month]").asJava
      new Field(field.getName, new FieldType(field.isNullable, new ArrowType.Int(32, true), null, named), null)
    case _ => new Field(field.getName, field.getFieldType, field.getChildren.asScala.map(readable).asJava)
  }
}
