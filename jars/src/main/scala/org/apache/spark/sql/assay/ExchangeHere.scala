package org.apache.spark.sql.assay

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.{NarrowDependency, Partition, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec

/** An exchange while [[DriverRun]] runs a plan: each partition of `child` is computed as a task of its own, and its rows
 *  go to the partition that Spark's `exchange` would write them to. Its columns are called `output`, which matters where
 *  an exchange is used twice. */
private[assay] case class ExchangeHereExec(
    output: Seq[Attribute], override val outputPartitioning: Partitioning, @transient exchange: ShuffleExchangeExec,
    child: SparkPlan)
  extends UnaryExecNode {

  override protected def doExecute(): RDD[InternalRow] = outputPartitioning.numPartitions match {
    case 1 =>
      val rows = child.execute()
      new ExchangedRDD[InternalRow](rows, 1, _ => 0, identity)
    case count =>
      val shuffle = exchange.withNewChildren(Seq(child)).asInstanceOf[ShuffleExchangeExec].shuffleDependency
      new ExchangedRDD[Product2[Int, InternalRow]](
        shuffle.rdd, count, record => shuffle.partitioner.getPartition(record._1), _._2)
  }

  override protected def withNewChildInternal(newChild: SparkPlan): ExchangeHereExec = copy(child = newChild)
}

/** The rows of `all`, each in the partition of `count` that `place` says: as many partitions even where `all` has none.
 *  They are computed when the first one is read, and once in each run of the plan; from a single partition to a single one they just pass. */
private[assay] final class ExchangedRDD[T](
    all: RDD[T], count: Int, place: T => Int, row: T => InternalRow) extends RDD[InternalRow](
    all.sparkContext,
    Seq(new NarrowDependency(all) { override def getParents(id: Int): Seq[Int] = all.partitions.indices })) {

  override protected def getPartitions: Array[Partition] = Array.tabulate(count)(NumberedPartition(_))

  override def compute(split: Partition, context: TaskContext): Iterator[InternalRow] = all.partitions match {
    case Array(only) if count == 1 => all.iterator(only, context).map(row)
    case _ => moved.get(split.index).iterator.map { each =>
      context.killTaskIfInterrupted()
      each
    }
  }

  private val moved = new DriverRun.EachRun[Array[ArrayBuffer[InternalRow]]]({
    val parts = Array.fill(count)(ArrayBuffer.empty[InternalRow])
    all.partitions.indices.foreach { partition =>
      DriverRun.inTask(all, partition) { (_, records) =>
        // A row is written anew by the next one; what a shuffle writes stays.
        records.foreach(record => parts(place(record)) += row(record).copy())
      }
    }
    parts
  })
}
