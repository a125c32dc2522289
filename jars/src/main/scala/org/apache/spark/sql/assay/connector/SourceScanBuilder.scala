package org.apache.spark.sql.assay.connector

import org.apache.spark.sql.catalyst.plans.JoinType
import org.apache.spark.sql.connector.expressions.SortOrder
import org.apache.spark.sql.connector.expressions.aggregate.{Aggregation, Avg}
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.connector.read._
import org.apache.spark.sql.types.StructType

/** Accepts or refuses the parts of a query that Spark offers, as the capabilities of `table` say. A part that is accepted
 *  weakly is applied to each split by itself, or to whole splits, and Spark does it once more. */
private[assay] final class SourceScanBuilder(table: SourceTable)
  extends ScanBuilder with SupportsPushDownRequiredColumns with SupportsPushDownV2Filters
  with SupportsPushDownAggregates with SupportsPushDownLimit with SupportsPushDownTopN with SupportsPushDownOffset
  with JoiningBuilder {

  private var input: Input = table
  private var pushed = Pushed(columns = table.rowType)

  override protected def canJoin(other: ScanBuilder): Boolean = other match {
    case that: SourceScanBuilder => Seq(this, that).forall(_.offersJoins)
    case _ => false
  }

  /** Operators above a join are not part of one side: a side keeps the parts that it has accepted, and the join itself
   *  accepts further ones. */
  override protected def join(
      other: ScanBuilder, kind: JoinType, left: Seq[RequiredColumn], right: Seq[RequiredColumn],
      condition: Predicate): Boolean = {
    val joined = Joined(side(left), other.asInstanceOf[SourceScanBuilder].side(right), kind, condition)
    if (joined.isPossible) {
      input = joined
      pushed = Pushed(columns = joined.rowType)
    }
    joined.isPossible
  }

  private def isJoined: Boolean = input != table

  private def offersJoins: Boolean = table.offers(Capability.Joins) && pushed.weakFilters.isEmpty

  private def side(columns: Seq[RequiredColumn]): Side = {
    val read = StructType(columns.map(column => input.rowType(column.name)))
    Side(SourceBatch(input, pushed.copy(columns = read)), columns.map(_.nameInJoin))
  }

  override def pruneColumns(requiredSchema: StructType): Unit =
    if (table.offers(Capability.Columns)) pushed = pushed.copy(columns = requiredSchema)

  override def pushPredicates(predicates: Array[Predicate]): Array[Predicate] = {
    val (tested, untested) = predicates.partition(PushedPredicate.test(_, input.rowType).isDefined)
    if (table.offers(Capability.Filters)) {
      // With both capabilities the source is one that evaluates some predicates and goes by the others only roughly.
      val (whole, weak) =
        if (table.offers(Capability.WeakFilters)) tested.splitAt((tested.length + 1) / 2) else (tested, Array.empty[Predicate])
      pushed = pushed.copy(filters = whole.toSeq, weakFilters = weak.toSeq)
      weak ++ untested
    } else {
      if (table.offers(Capability.WeakFilters)) pushed = pushed.copy(weakFilters = tested.toSeq)
      predicates
    }
  }

  override def pushedPredicates(): Array[Predicate] = (pushed.filters ++ pushed.weakFilters).toArray

  /** Averages can be put together from sums and counts, which Spark asks for then. But it asks for those over a join by the
   *  names that columns had before it: another column may have that name now. So the source takes them as they are, and
   *  refuses them. */
  override def supportCompletePushDown(aggregation: Aggregation): Boolean =
    if (aggregation.aggregateExpressions.exists(_.isInstanceOf[Avg])) isJoined else table.offers(Capability.Aggregates)

  override def pushAggregation(aggregation: Aggregation): Boolean = {
    val whole = supportCompletePushDown(aggregation)
    val accepted = (whole || table.offers(Capability.WeakAggregates)) && pushed.weakFilters.isEmpty
    val computed = if (accepted) PushedAggregates.of(aggregation, input.rowType, whole) else None
    computed.foreach { aggregates =>
      pushed = pushed.copy(aggregation = Some(AggregationPart(aggregation, whole)), columns = aggregates.resultType)
    }
    computed.isDefined
  }

  override def pushLimit(limit: Int): Boolean = {
    val whole = table.offers(Capability.Limits)
    val accepted = whole || table.offers(Capability.WeakLimits) && pushed.aggregation.isEmpty
    if (accepted) pushed = pushed.copy(limit = Some(LimitPart(Nil, limit, whole)))
    accepted
  }

  override def pushTopN(orders: Array[SortOrder], limit: Int): Boolean = {
    val whole = table.offers(Capability.TopN)
    val accepted = (whole || table.offers(Capability.WeakTopN)) && pushed.aggregation.isEmpty &&
      Values.canSort(orders.toSeq, input.rowType)
    if (accepted) pushed = pushed.copy(limit = Some(LimitPart(orders.toSeq, limit, whole)))
    accepted
  }

  override def isPartiallyPushed(): Boolean = pushed.limit.exists(!_.whole)

  override def pushOffset(offset: Int): Boolean = {
    val accepted = table.offers(Capability.Offsets) && pushed.limit.forall(_.whole)
    if (accepted) pushed = pushed.copy(offset = offset)
    accepted
  }

  override def build(): Scan =
    if (isJoined || !pushed.keepsSplits) new SourceScan(input, pushed)
    else if (table.layout.filtered.nonEmpty) new FilteredScan(table, pushed)
    else if (table.layout.ordering.nonEmpty) new OrderedScan(table, pushed)
    else new SourceScan(table, pushed)
}

/** A column of one side that a join needs, and its name there. */
private[assay] final case class RequiredColumn(name: String, nameInJoin: String)
