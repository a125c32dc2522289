package org.apache.spark.sql.assay.connector

import java.nio.ByteBuffer

import org.apache.spark.sql.assay.ReducedBuckets
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/** The bucket of a value of one type; NULL is in none. */
private[assay] final case class BucketFunction(dataType: DataType)
  extends ScalarFunction[Integer] with ReducedBuckets {

  override def inputTypes: Array[DataType] = Array(IntegerType, dataType)

  override def resultType: DataType = IntegerType

  override def name: String = "bucket"

  override def canonicalName: String = s"assay.bucket(${dataType.catalogString})"

  override def produceResult(input: InternalRow): Integer =
    BucketFunction.bucketOf(Values.of(input, 1, dataType), input.getInt(0)).asInstanceOf[Integer]
}

private[assay] object BucketFunction {
  def supports(dataType: DataType): Boolean = dataType match {
    case ByteType | ShortType | IntegerType | LongType | StringType | BinaryType | DateType => true
    case _ => false
  }

  /** The number of the bucket of `value` among `count`, as an Integer, or null. Of two counts, one a multiple of the other,
   *  the lesser gives the remainder of the greater's number. */
  def bucketOf(value: Any, count: Int): Any = value match {
    case null => null
    case number: Number => Integer.valueOf(Math.floorMod(number.longValue, count.toLong).toInt)
    case text: UTF8String => Integer.valueOf(Math.floorMod(ByteBuffer.wrap(text.getBytes).hashCode, count))
    case bytes: Array[Byte] => Integer.valueOf(Math.floorMod(ByteBuffer.wrap(bytes).hashCode, count))
    case other => throw new IllegalArgumentException(s"no bucket for a ${other.getClass.getName}")
  }
}
