package org.apache.spark.sql.assay

import scala.reflect.ClassTag

import org.apache.spark.{SparkConf, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD

object DriverContext {
  /** A context whose threads remember [[AbsentClasses]]. */
  def start(conf: SparkConf): DriverContext = {
    AbsentClasses.remember()
    new DriverContext(conf)
  }
}

/** A Spark context that leaves out, while [[DriverRun]] runs a plan, what takes longer than all the rest of running it.
 *
 *  Without a cluster, closures stay as they are in jobs, too: cleaning reads their classes and serializes them, a tenth of
 *  the time of a check in jobs. It changes the closures of a Scala shell alone, and what can't be serialized is refused
 *  when its task is made.
 *  The scopes of operators, by which the web UI groups RDDs, are neither kept nor read again for each RDD. A job that
 *  an operator needs before it can be run, as an exchange by ranges does, is run in place. */
final class DriverContext(conf: SparkConf) extends SparkContext(conf) {
  override private[spark] def clean[F <: AnyRef](f: F, checkSerializable: Boolean): F =
    if (isLocal) f else super.clean(f, checkSerializable)

  override def runJob[T, U: ClassTag](
      rdd: RDD[T], func: (TaskContext, Iterator[T]) => U, partitions: Seq[Int], resultHandler: (Int, U) => Unit): Unit =
    if (DriverRun.isUnderWay) DriverRun.run(rdd, partitions, func, resultHandler)
    else super.runJob(rdd, func, partitions, resultHandler)

  override def getLocalProperty(key: String): String = key match {
    case SparkContext.RDD_SCOPE_KEY if DriverRun.isUnderWay => null
    // With this, no RDD asks for a scope of its own.
    case SparkContext.RDD_SCOPE_NO_OVERRIDE_KEY if DriverRun.isUnderWay => "true"
    case _ => super.getLocalProperty(key)
  }

  override def setLocalProperty(key: String, value: String): Unit = key match {
    case SparkContext.RDD_SCOPE_KEY | SparkContext.RDD_SCOPE_NO_OVERRIDE_KEY if DriverRun.isUnderWay => ()
    case _ => super.setLocalProperty(key, value)
  }
}
