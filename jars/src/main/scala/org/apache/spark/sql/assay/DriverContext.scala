package org.apache.spark.sql.assay

import org.apache.spark.{SparkConf, SparkContext}

/** A Spark context that leaves closures as they are while [[DriverRun]] runs a plan: nothing of it is sent anywhere,
 *  and cleaning them (reading their classes, serializing them) takes longer than all the rest of running it. */
final class DriverContext(conf: SparkConf) extends SparkContext(conf) {
  override private[spark] def clean[F <: AnyRef](f: F, checkSerializable: Boolean): F =
    if (DriverRun.isUnderWay) f else super.clean(f, checkSerializable)
}
