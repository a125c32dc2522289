package org.apache.spark.sql.assay.connector

import org.apache.spark.sql.catalyst.plans.JoinType
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.connector.read.ScanBuilder

/** How joins are offered to a source: Spark offers none before 4.1. */
private[assay] trait JoiningBuilder extends ScanBuilder {
  protected def canJoin(other: ScanBuilder): Boolean

  protected def join(
      other: ScanBuilder, kind: JoinType, left: Seq[RequiredColumn], right: Seq[RequiredColumn], condition: Predicate): Boolean
}
