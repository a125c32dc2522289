package org.apache.spark.sql.assay

import org.apache.spark.{ShuffleDependency, SparkConf, SparkEnv, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.shuffle.{BaseShuffleHandle, ShuffleHandle, ShuffleReader, ShuffleReadMetricsReporter}
import org.apache.spark.shuffle.sort.SortShuffleManager
import org.apache.spark.sql.catalyst.InternalRow

/** Spark's shuffles, but for those that an operator hides in its RDD: while [[DriverRun]] runs a plan, these are read
 *  where they would be written. A full outer join without keys has one, for the rows of its broadcast side. */
final class DriverShuffle(conf: SparkConf) extends SortShuffleManager(conf) {
  override def getReader[K, C](
      handle: ShuffleHandle, startMapIndex: Int, endMapIndex: Int, startPartition: Int, endPartition: Int,
      context: TaskContext, metrics: ShuffleReadMetricsReporter): ShuffleReader[K, C] = handle match {
    case plain: BaseShuffleHandle[_, _, _] if DriverRun.isUnderWay && DriverShuffle.reads(plain.dependency) =>
      new InPlaceReader(plain.dependency, startPartition until endPartition)
    case _ => super.getReader(handle, startMapIndex, endMapIndex, startPartition, endPartition, context, metrics)
  }
}

private[assay] object DriverShuffle {
  /** Whether `shuffle` can be read in place: it moves its records, and neither sorts nor combines them. */
  def reads(shuffle: ShuffleDependency[_, _, _]): Boolean =
    isInForce && shuffle.aggregator.isEmpty && shuffle.keyOrdering.isEmpty

  private def isInForce: Boolean =
    SparkEnv.get.conf.get("spark.shuffle.manager", "") == classOf[DriverShuffle].getName
}

private final class InPlaceReader[K, C](shuffle: ShuffleDependency[_, _, _], wanted: Range)
    extends ShuffleReader[K, C] {

  override def read(): Iterator[Product2[K, C]] = {
    val records = shuffle.rdd.asInstanceOf[RDD[Product2[K, C]]]
    records.partitions.indices.iterator.flatMap { partition =>
      DriverRun.inTask(records, partition) { (_, all) =>
        all.collect {
          case record if wanted.contains(shuffle.partitioner.getPartition(record._1)) => (record._1, kept(record._2))
        }.toVector
      }
    }
  }

  /** A row is written anew by the next one; what a shuffle writes stays. */
  private def kept(value: C): C = value match {
    case row: InternalRow => row.copy().asInstanceOf[C]
    case other => other
  }
}
