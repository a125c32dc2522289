package org.apache.spark.sql.assay

import java.io.ByteArrayOutputStream

import org.apache.arrow.vector.VectorSchemaRoot
import org.apache.arrow.vector.ipc.ArrowStreamWriter

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.arrow.ArrowWriter
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.ArrowUtils

/** Rows as one Arrow IPC stream: the schema and one batch, timestamps in UTC, column names as they are (repeated ones,
 *  too). A type that Arrow has not raises Spark's own UNSUPPORTED_DATATYPE. */
private[assay] object ArrowStream {
  def encode(rows: Array[InternalRow], schema: StructType): Array[Byte] = {
    val arrow = ArrowUtils.toArrowSchema(schema, "UTC", false, false)
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
}
