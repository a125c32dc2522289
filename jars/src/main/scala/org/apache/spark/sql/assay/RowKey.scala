package org.apache.spark.sql.assay

import java.nio.ByteBuffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, SpecializedGetters}
import org.apache.spark.sql.catalyst.util.{ArrayData, GenericArrayData, MapData}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/** When two rows are the same row: NULL is NULL, NaN is one value, -0.0 is 0.0 (inside arrays and structs, too),
 *  decimals by their unscaled value, strings and binaries by their bytes. Written without Spark's own
 *  normalization and comparison, which are under test. */
private[assay] object RowKey {
  /** A string type with a collation is not `StringType`, and isn't compared; neither are maps, of which Spark's own
   *  operators group and join none, and variants. */
  def supports(dataType: DataType): Boolean = dataType match {
    case BooleanType | ByteType | ShortType | IntegerType | LongType | FloatType | DoubleType | StringType |
        BinaryType | DateType | TimestampType | TimestampNTZType | NullType => true
    case _: DecimalType | _: YearMonthIntervalType | _: DayTimeIntervalType => true
    case ArrayType(element, _) => supports(element)
    case StructType(fields) => fields.forall(field => supports(field.dataType))
    case other => isTimeOfDay(other)
  }

  /** Whether `dataType` is `TimeType`, a class that releases before 4.1 have not got. */
  def isTimeOfDay(dataType: DataType): Boolean = dataType.typeName.startsWith("time(")

  /** The values of some columns of a row, as something that equals another row's when the values are the same. */
  def of(row: InternalRow, types: Array[DataType], columns: Array[Int]): AnyRef =
    columns.toSeq.map(i => key(value(row, i, types(i)), types(i)))

  /** The row with 0.0 for -0.0 and one NaN, as grouping gives it out; shares its other values with `row`. */
  def canonical(row: InternalRow, types: Array[DataType], columns: Array[Int]): InternalRow = {
    val values = types.indices.map(i => value(row, i, types(i)): Any).toArray
    columns.foreach(i => values(i) = canonical(values(i), types(i)))
    new GenericInternalRow(values)
  }

  private def value(from: SpecializedGetters, i: Int, dataType: DataType): Any =
    if (from.isNullAt(i)) null else from.get(i, dataType)

  private def values(array: ArrayData, element: DataType): Seq[Any] =
    (0 until array.numElements()).map(value(array, _, element))

  private def values(struct: InternalRow, fields: Array[StructField]): Seq[Any] =
    fields.indices.map(i => value(struct, i, fields(i).dataType))

  private def key(value: Any, dataType: DataType): Any = (canonical(value, dataType), dataType) match {
    case (null, _) => null
    case (d: Double, _) => java.lang.Double.doubleToLongBits(d)
    case (f: Float, _) => java.lang.Float.floatToIntBits(f)
    case (d: Decimal, t: DecimalType) => d.toJavaBigDecimal.setScale(t.scale).unscaledValue
    case (s: UTF8String, _) => ByteBuffer.wrap(s.getBytes)
    case (bytes: Array[Byte], _) => ByteBuffer.wrap(bytes)
    case (array: ArrayData, ArrayType(element, _)) => values(array, element).map(key(_, element))
    case (struct: InternalRow, StructType(fields)) =>
      values(struct, fields).zip(fields).map { case (v, field) => key(v, field.dataType) }
    case (map: MapData, MapType(ofKeys, ofValues, _)) => // its entries have no order
      val keys = values(map.keyArray(), ofKeys).map(key(_, ofKeys))
      keys.zip(values(map.valueArray(), ofValues).map(key(_, ofValues))).toSet
    case (other, _) => other
  }

  private def canonical(value: Any, dataType: DataType): Any = (value, dataType) match {
    case (d: Double, _) => if (d.isNaN) Double.NaN else if (d == 0.0) 0.0 else d
    case (f: Float, _) => if (f.isNaN) Float.NaN else if (f == 0.0f) 0.0f else f
    case (array: ArrayData, ArrayType(element, _)) =>
      new GenericArrayData(values(array, element).map(canonical(_, element)).toArray[Any])
    case (struct: InternalRow, StructType(fields)) =>
      new GenericInternalRow(values(struct, fields).zip(fields).map { case (v, f) => canonical(v, f.dataType) }.toArray)
    case (other, _) => other
  }
}
