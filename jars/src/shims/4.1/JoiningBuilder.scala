package org.apache.spark.sql.assay.connector

import org.apache.spark.sql.catalyst.plans.{Inner, JoinType, LeftOuter, RightOuter}
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.connector.join.{JoinType => ConnectorJoinType}
import org.apache.spark.sql.connector.read.{ScanBuilder, SupportsPushDownJoin}
import org.apache.spark.sql.connector.read.SupportsPushDownJoin.ColumnWithAlias

/** How joins are offered to a source. */
private[assay] trait JoiningBuilder extends ScanBuilder with SupportsPushDownJoin {
  /** Whether this builder joins its rows with those of `other`. */
  protected def canJoin(other: ScanBuilder): Boolean

  /** Makes this builder one of the join, or changes nothing; the result says which. */
  protected def join(
      other: ScanBuilder, kind: JoinType, left: Seq[RequiredColumn], right: Seq[RequiredColumn], condition: Predicate): Boolean

  override def isOtherSideCompatibleForJoin(other: SupportsPushDownJoin): Boolean = canJoin(other)

  override def pushDownJoin(
      other: SupportsPushDownJoin, joinType: ConnectorJoinType, left: Array[ColumnWithAlias],
      right: Array[ColumnWithAlias], condition: Predicate): Boolean = {
    val kind = joinType match {
      case ConnectorJoinType.INNER_JOIN => Inner
      case ConnectorJoinType.LEFT_OUTER_JOIN => LeftOuter
      case ConnectorJoinType.RIGHT_OUTER_JOIN => RightOuter
    }
    canJoin(other) && join(other, kind, left.toSeq.map(required), right.toSeq.map(required), condition)
  }

  private def required(column: ColumnWithAlias): RequiredColumn =
    RequiredColumn(column.colName, Option(column.alias).getOrElse(column.colName))
}
