package org.apache.spark.sql.assay

import java.io.ByteArrayInputStream

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.DataType

/** The rows of one plan over one database, compared as Python compares them: as a multiset of whole rows, or as a list
 *  where their order is `ordered`. */
private[assay] final class Answer(rows: Array[InternalRow], types: Array[DataType], ordered: Boolean) {
  /** Equal for two answers exactly if both are the same answer. */
  lazy val key: Any = {
    val columns = types.indices.toArray
    val keys = rows.toSeq.map(RowKey.of(_, types, columns))
    if (ordered) keys else keys.groupBy(identity).map { case (row, copies) => row -> copies.size }
  }

  def sameAs(other: Answer): Boolean = size == other.size && key == other.key

  def size: Int = rows.length
}

object Answer {
  /** Whether the tables of two Arrow IPC streams have the same types and are the same answer. */
  def same(one: Array[Byte], other: Array[Byte], ordered: Boolean): Boolean = {
    val tables = Seq(one, other).map { bytes =>
      val (schema, batches) = MemoryTable.decode(new ByteArrayInputStream(bytes))
      val types = schema.map(field => PlanPromises.plain(field.dataType)).toArray
      (types.toSeq, new Answer(batches.flatten.map(row => row: InternalRow), types, ordered))
    }
    tables.map(_._1).distinct.size == 1 && tables.head._2.sameAs(tables.last._2)
  }
}
