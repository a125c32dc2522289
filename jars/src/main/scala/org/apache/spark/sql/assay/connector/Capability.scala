package org.apache.spark.sql.assay.connector

/** The abilities of a [[SourceTable]] beyond a scan of all its rows, by the words that a case's settings use. */
private[assay] object Capability {
  val Columns = "columns"
  val Filters = "filters"
  val WeakFilters = "weak filters"
  val Aggregates = "aggregates"
  val WeakAggregates = "weak aggregates"
  val Limits = "limits"
  val WeakLimits = "weak limits"
  val TopN = "top n"
  val WeakTopN = "weak top n"
  val Offsets = "offsets"
  val RuntimeFilters = "runtime filters"
  val Identity = "identity"
  val TwoKeys = "two keys"
  val Buckets = "buckets"
  val OtherBuckets = "other buckets"
  val SomeTables = "some tables"
  val Splits = "splits"
  val Ordering = "ordering"
  val Joins = "joins"
  val Deletes = "deletes"

  val all: Set[String] = Set(Columns, Filters, WeakFilters, Aggregates, WeakAggregates, Limits, WeakLimits, TopN, WeakTopN,
    Offsets, RuntimeFilters, Identity, TwoKeys, Buckets, OtherBuckets, SomeTables, Splits, Ordering, Joins, Deletes)

  /** The capabilities in `text`, one a line.
   *  @throws IllegalArgumentException for a word that is none */
  def read(text: String): Set[String] = {
    val words = text.linesIterator.filter(_.nonEmpty).toSet
    require(words.subsetOf(all), s"no capability of a source: ${(words -- all).toSeq.sorted.mkString(", ")}")
    words
  }
}
