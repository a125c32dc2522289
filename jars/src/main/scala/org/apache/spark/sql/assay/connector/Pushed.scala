package org.apache.spark.sql.assay.connector

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.expressions.SortOrder
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.types.StructType

/** Aggregates that a scan computes: of all rows if `whole`, else of each split. */
private[assay] final case class AggregationPart(aggregation: Aggregation, whole: Boolean)

/** The first `count` rows by `orders` that a scan returns: of all rows if `whole`, else of each split. */
private[assay] final case class LimitPart(orders: Seq[SortOrder], count: Int, whole: Boolean)

/** The parts of a query that a scan has accepted, in the order in which they are applied. Splits none of whose rows pass
 *  `weakFilters` are left out, and `columns` are those of the result. */
private[assay] final case class Pushed(
    columns: StructType, filters: Seq[Predicate] = Nil, weakFilters: Seq[Predicate] = Nil,
    runtimeFilters: Seq[Predicate] = Nil, aggregation: Option[AggregationPart] = None, limit: Option[LimitPart] = None,
    offset: Int = 0) {

  /** Whether each row of the scan is in the split, and at the place in it, that its input gives it. */
  def keepsSplits: Boolean = aggregation.isEmpty && offset == 0 && limit.forall(part => !part.whole && part.orders.isEmpty)

  /** All that the rows depend on, for the text of plans. */
  def text: String = Seq(
    "Filters" -> filters.mkString(" AND "),
    "WeakFilters" -> weakFilters.mkString(" AND "),
    "Aggregates" -> aggregation.fold("") { part =>
      val keys = part.aggregation.groupByExpressions.mkString(", ")
      s"${part.aggregation.aggregateExpressions.mkString(", ")} BY ($keys)${if (part.whole) "" else " of each split"}"
    },
    "Limit" -> limit.fold("") { part =>
      s"${part.count} BY (${part.orders.mkString(", ")})${if (part.whole) "" else " of each split"}"
    },
    "Offset" -> (if (offset == 0) "" else offset.toString),
    "Columns" -> columns.fieldNames.mkString(", ")
  ).collect { case (name, value) if value.nonEmpty => s"$name: [$value]" }.mkString(", ")

  /** The splits of `input` after all these parts, with rows of `columns`. */
  def splits(input: Input): Seq[Split] = {
    val schema = input.rowType
    def tests(predicates: Seq[Predicate]) = predicates.flatMap(PushedPredicate.test(_, schema))
    val weak = PushedPredicate.passes(tests(weakFilters ++ runtimeFilters)) _
    val passing = input.splits.map(_.having(_.filter(PushedPredicate.passes(tests(filters)))))
    // A split that is known to hold nothing is not read at all.
    val read = if (filters.isEmpty && weakFilters.isEmpty && runtimeFilters.isEmpty) passing
      else passing.filter(_.rows.exists(weak))
    val (computed, resultType) = aggregated(read, schema)
    val rows = skipped(limited(computed, resultType))
    val places = columns.fieldNames.map(resultType.fieldNames.indexOf(_))
    val project = Rows.projection(resultType, if (aggregation.isDefined) resultType.indices else places.toSeq, columns)
    rows.map(_.having(_.map(project(_).copy(): InternalRow)))
  }

  private def aggregated(splits: Seq[Split], schema: StructType): (Seq[Split], StructType) =
    aggregation.flatMap(part => PushedAggregates.of(part.aggregation, schema, part.whole).map(part -> _)) match {
      case None => (splits, schema)
      case Some((part, aggregates)) if part.whole => (Seq(together(splits).having(aggregates.of)), aggregates.resultType)
      // Counts of no split at all would be NULL in the end.
      case Some((_, aggregates)) =>
        val parts = if (splits.isEmpty && !aggregates.hasKeys) Seq(together(Nil)) else splits
        (parts.map(split => Split(None, aggregates.of(split.rows))), aggregates.resultType)
    }

  private def limited(splits: Seq[Split], schema: StructType): Seq[Split] = limit match {
    case None => splits
    case Some(LimitPart(orders, count, whole)) =>
      def first(rows: Seq[InternalRow]): Seq[InternalRow] =
        (if (orders.isEmpty) rows else rows.sorted(Values.ordering(orders, schema))).take(count)
      if (whole) Seq(together(splits).having(first)) else splits.map(_.having(first))
  }

  private def skipped(splits: Seq[Split]): Seq[Split] =
    if (offset == 0) splits else Seq(together(splits).having(_.drop(offset)))

  private def together(splits: Seq[Split]): Split = Split(None, splits.flatMap(_.rows))
}
