package org.apache.spark.sql.assay

import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}

/** The points where this release takes rules, of those that not every release has. */
private[assay] object LaterPoints {
  val all: Seq[Point] = Nil
}

/** Each rule that an extension injects at these points goes through `wrap`. */
private[assay] abstract class LaterInjections(wrap: (Point, SparkSession => AnyRef) => Unit)
  extends SparkSessionExtensions
