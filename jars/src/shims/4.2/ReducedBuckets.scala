package org.apache.spark.sql.assay

import org.apache.spark.sql.connector.catalog.functions.{Reducer, ReducibleFunction}
import org.apache.spark.sql.types.{DataType, IntegerType}

/** How buckets of one count are put together to those of another: where the other count is a divisor. */
private[assay] trait ReducedBuckets extends ReducibleFunction[Integer, Integer] {
  override def reducer(
      count: Int, other: ReducibleFunction[_, _], otherCount: Int): Reducer[Integer, Integer] =
    if (other == this && count > otherCount && count % otherCount == 0) BucketReducer(otherCount) else null
}

private[assay] final case class BucketReducer(count: Int) extends Reducer[Integer, Integer] {
  override def reduce(bucket: Integer): Integer = if (bucket == null) null else Integer.valueOf(bucket % count)

  override def resultType: DataType = IntegerType
}
