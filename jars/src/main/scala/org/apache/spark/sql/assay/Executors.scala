package org.apache.spark.sql.assay

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.{SparkContext, Success}
import org.apache.spark.scheduler._

/** Where a session's tasks run, if not in the driver: which executors there are, and which of them did a leg's work. */
private[assay] final class Executors(context: SparkContext) extends SparkListener {
  private val alive = ConcurrentHashMap.newKeySet[String]()
  private val done = new ConcurrentHashMap[String, AtomicLong]
  private val gone = mutable.ArrayBuffer.empty[String]

  override def onExecutorAdded(event: SparkListenerExecutorAdded): Unit = alive.add(event.executorId)

  override def onExecutorRemoved(event: SparkListenerExecutorRemoved): Unit = {
    alive.remove(event.executorId)
    gone.synchronized(gone += s"executor ${event.executorId} was lost: ${event.reason.linesIterator.mkString(" ")}")
  }

  override def onTaskEnd(event: SparkListenerTaskEnd): Unit =
    if (event.reason == Success && event.taskInfo != null && event.taskInfo.executorId != SparkContext.DRIVER_IDENTIFIER)
      done.computeIfAbsent(event.taskInfo.executorId, _ => new AtomicLong).incrementAndGet()

  /** Forgets who did what. */
  def start(): Unit = done.clear()

  /** The executors that have ended tasks since [[start]], with how many. */
  def atWork(): java.util.TreeMap[String, Long] = {
    heard()
    val all = new java.util.TreeMap[String, Long]
    done.forEach((id, count) => all.put(id, count.get))
    all
  }

  /** The fates of executors that are there no more, a line each, told once. */
  def takeLosses(): Seq[String] = gone.synchronized {
    val told = gone.toList
    gone.clear()
    told
  }

  /** Why nothing can be run any more, or an empty text. */
  def whyNone: String = {
    heard()
    if (context.isStopped) "Spark's context was stopped: the master removed the application"
    else if (alive.isEmpty) "no executor is left"
    else ""
  }

  /** Events come late, by a thread of their own. */
  private def heard(): Unit =
    try if (!context.isStopped) context.listenerBus.waitUntilEmpty(Executors.Patience)
    catch { case NonFatal(_) => () }

  /** Whether an executor is there within `milliseconds`. */
  private[assay] def await(milliseconds: Long): Boolean = {
    val end = System.nanoTime() + milliseconds * 1000000
    while (alive.isEmpty && !context.isStopped && System.nanoTime() < end) Thread.sleep(50)
    !alive.isEmpty
  }
}

object Executors {
  private val Patience = 2000L
  private val watched = new ConcurrentHashMap[SparkContext, Executors]

  /** Those of `context`, once it is watched; none where all runs in the driver. */
  private[assay] def of(context: SparkContext): Option[Executors] = Option(watched.get(context))

  /** Watches from now on, and waits up to `milliseconds` for the first executor: whether there is one. */
  def come(context: SparkContext, milliseconds: Long): Boolean = {
    val executors = watched.computeIfAbsent(context, _ => {
      val made = new Executors(context)
      context.addSparkListener(made)
      // Who was there before.
      context.statusStore.executorList(true).filter(_.id != SparkContext.DRIVER_IDENTIFIER).foreach(one => made.alive.add(one.id))
      made
    })
    executors.await(milliseconds)
  }

  /** Why nothing can be run any more, or an empty text. */
  def noneLeft(context: SparkContext): String = of(context).map(_.whyNone).getOrElse("")

  /** The fates of executors since this was asked last, a line each. */
  def lost(context: SparkContext): String = of(context).map(_.takeLosses().mkString("\n")).getOrElse("")
}
