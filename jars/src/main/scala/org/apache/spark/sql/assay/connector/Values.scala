package org.apache.spark.sql.assay.connector

import org.apache.spark.sql.assay.RowKey
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.util.TypeUtils
import org.apache.spark.sql.connector.expressions.{NamedReference, NullOrdering, SortDirection, SortOrder}
import org.apache.spark.sql.types._

/** Columns, values and orders of the rows of a [[SourceTable]]. */
private[assay] object Values {
  /** Whether the source compares values of this type, and partitions by them. */
  def areComparable(dataType: DataType): Boolean = dataType match {
    case BooleanType | ByteType | ShortType | IntegerType | LongType | FloatType | DoubleType | StringType |
        BinaryType | DateType | TimestampType | TimestampNTZType => true
    case _: DecimalType | _: YearMonthIntervalType | _: DayTimeIntervalType => true
    case other => RowKey.isTimeOfDay(other)
  }

  def of(row: InternalRow, column: Int, dataType: DataType): Any =
    if (row.isNullAt(column)) null else row.get(column, dataType)

  /** The place of the column that `reference` names, if it is a whole column of `schema`. */
  def column(reference: NamedReference, schema: StructType): Option[Int] = reference.fieldNames match {
    case Array(name) => Some(schema.fieldNames.indexOf(name)).filter(_ >= 0)
    case _ => None
  }

  /** NaN is the greatest value and equals itself; -0.0 equals 0.0. */
  def comparison(dataType: DataType): Ordering[Any] = TypeUtils.getInterpretedOrdering(dataType)

  /** Whether rows of `schema` can be sorted by all of `orders`. */
  def canSort(orders: Seq[SortOrder], schema: StructType): Boolean = orders.forall(_.expression match {
    case reference: NamedReference => column(reference, schema).exists(i => areComparable(schema(i).dataType))
    case _ => false
  })

  /** The order of rows of `schema` by `orders`, which [[canSort]] has accepted. */
  def ordering(orders: Seq[SortOrder], schema: StructType): Ordering[InternalRow] = {
    val keys = orders.map { order =>
      val place = column(order.expression.asInstanceOf[NamedReference], schema).get
      val dataType = schema(place).dataType
      val values = comparison(dataType)
      val nullSign = if (order.nullOrdering == NullOrdering.NULLS_FIRST) -1 else 1
      val sign = if (order.direction == SortDirection.ASCENDING) 1 else -1
      (one: InternalRow, other: InternalRow) => (of(one, place, dataType), of(other, place, dataType)) match {
        case (null, null) => 0
        case (null, _) => nullSign
        case (_, null) => -nullSign
        case (left, right) => sign * values.compare(left, right)
      }
    }
    (one, other) => keys.iterator.map(_(one, other)).find(_ != 0).getOrElse(0)
  }
}
