package org.apache.spark.sql.assay

/** How buckets of one count are put together to those of another: Spark has no such thing before 4.0. */
private[assay] trait ReducedBuckets
