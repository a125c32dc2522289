package org.apache.spark.sql.assay

import java.util.UUID
import java.util.concurrent.{Future, ScheduledThreadPoolExecutor, TimeUnit}

import org.apache.spark.SparkContext

/** Cancels the Spark jobs of a piece of work that takes too long. Work that neither runs a job nor heeds `stop`
 *  ends late, and is still told to have run out of time. */
private[assay] object Alarm {
  private val Properties = Seq("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel")

  private val Again = 100L

  private val clock = {
    val pool = new ScheduledThreadPoolExecutor(1, (task: Runnable) => {
      val thread = new Thread(task, "assay-alarm")
      thread.setDaemon(true)
      thread
    })
    pool.setRemoveOnCancelPolicy(true)
    pool
  }

  /** Runs `work` in a job group of its own; the flag is whether its time was up. No limit when `milliseconds` is 0. */
  def within[T](context: SparkContext, milliseconds: Long, stop: () => Unit)(work: => T): (T, Boolean) = {
    val group = s"assay-${UUID.randomUUID()}"
    val saved = Properties.map(key => key -> context.getLocalProperty(key))
    @volatile var rang = false
    context.setJobGroup(group, "assay", interruptOnCancel = true)
    val ring: Runnable = () => {
      rang = true
      context.cancelJobGroup(group)
      stop()
    }
    // Again and again: a query whose job was cancelled may start its next one.
    val alarm: Option[Future[_]] =
      if (milliseconds > 0) Some(clock.scheduleAtFixedRate(ring, milliseconds, Again, TimeUnit.MILLISECONDS)) else None
    try {
      val result = work
      (result, rang)
    } finally {
      alarm.foreach(_.cancel(false))
      saved.foreach { case (key, value) => context.setLocalProperty(key, value) }
    }
  }
}
