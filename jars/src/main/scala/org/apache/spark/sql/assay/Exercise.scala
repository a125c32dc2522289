package org.apache.spark.sql.assay

import java.util.{LinkedHashMap, Map => JavaMap}

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanHelper, AQEShuffleReadExec}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike
import org.apache.spark.sql.execution.joins.SortMergeJoinExec

/** The parts of Spark's machinery for many rows that a plan has used, subqueries included. */
private[assay] object Exercise extends AdaptiveSparkPlanHelper {
  /** `spilled`: bytes that its operators wrote out of memory; `merges`: sort-merge joins; `shuffles`, and `partitions`
   *  of the widest; `replanned`: shuffles that adaptive execution reads in other partitions than it was told at first,
   *  and `skewed`: those of them that it split for their skew. */
  def of(plan: SparkPlan): JavaMap[String, Long] = {
    val shuffles = found(plan) { case shuffle: ShuffleExchangeLike => shuffle.numPartitions.toLong }
    val reads = found(plan) { case read: AQEShuffleReadExec if read.hasCoalescedPartition || read.hasSkewedPartition => read }
    val used = new LinkedHashMap[String, Long]
    used.put("spilled", found(plan) { case node => node.metrics.get("spillSize").fold(0L)(_.value) }.sum)
    used.put("merges", found(plan) { case join: SortMergeJoinExec => join }.size.toLong)
    used.put("shuffles", shuffles.size.toLong)
    used.put("partitions", shuffles.foldLeft(0L)(_ max _))
    used.put("replanned", reads.size.toLong)
    used.put("skewed", reads.count(_.hasSkewedPartition).toLong)
    used
  }

  private def found[T](plan: SparkPlan)(wanted: PartialFunction[SparkPlan, T]): Seq[T] =
    collectWithSubqueries(plan)(wanted)
}
