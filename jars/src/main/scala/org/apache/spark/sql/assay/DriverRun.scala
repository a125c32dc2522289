package org.apache.spark.sql.assay

import java.util.Properties
import java.util.concurrent.atomic.AtomicLong

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.{ShuffleDependency, SparkEnv, TaskContext, TaskContextImpl, TaskKilledException}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.executor.TaskMetrics
import org.apache.spark.memory.{SparkOutOfMemoryError, TaskMemoryManager}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.{BroadcastMode, Partitioning, UnknownPartitioning}
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, ReusedExchangeExec, ShuffleExchangeExec}
import org.apache.spark.sql.internal.SQLConf

/** Runs a physical plan in the calling thread, without jobs and tasks: over tiny tables they are what a query costs.
 *
 *  All operators keep their partitions, and each partition is computed in a task context of its own. An exchange hands
 *  rows on within this thread (see [[ExchangeHereExec]]), broadcasts are values, subqueries are run in place, and so is
 *  what an operator shuffles within (see [[DriverShuffle]]), or runs a job for (see [[DriverContext]]). The
 *  operators' own work on the rows is Spark's code. A plan that needs more (files, caches, adaptive execution, recursion, a
 *  shuffle that sorts) isn't run at all: see [[rows]]. */
private[assay] object DriverRun {
  /** The plan can't be run here; an ordinary job has to. */
  private final class Elsewhere(why: String) extends RuntimeException(why, null, false, false)

  /** The rows of `plan`, or None where an ordinary job has to run it: also wherever anything is raised here, so that no
   *  fault of this object is ever taken for one of the query. Call it under the session and confs of the leg.
   *  `started` is told each task context, so that the work can be stopped from another thread. */
  def rows(plan: SparkPlan)(started: TaskContextImpl => Unit): Option[Array[InternalRow]] =
    again(plan)(started)(rows => rows())

  /** Does `work` with a function that runs `plan` once each time that it is called, over what the tables hold then: each
   *  call returns what [[rows]] does. The RDDs of a plan serve again where they hold nothing of the rows: see [[Repeated]]. */
  def again[T](plan: SparkPlan)(started: TaskContextImpl => Unit)(work: (() => Option[Array[InternalRow]]) => T): T = {
    val run = new Run(started)
    val repeated = new Repeated(plan)
    underWay.set(run)
    try work { () =>
      run.number += 1
      try Some(repeated.rows()) catch {
        case e: TaskKilledException => throw e
        case NonFatal(_) | _: StackOverflowError | _: SparkOutOfMemoryError => None
      }
    } finally underWay.remove()
  }

  /** A plan that is run several times. State that depends on the rows, and is kept between partitions, is made anew each
   *  time: see [[EachRun]]. Other nodes that looked at rows while the RDD was made may have put them into it (subqueries,
   *  exchanges by ranges, the rows without a partner of a nested loop join): such an RDD serves once. */
  private final class Repeated(plan: SparkPlan) {
    private var held = Option.empty[RDD[InternalRow]]

    def rows(): Array[InternalRow] = gathered(held.getOrElse {
      val run = underWay.get
      val looks = run.looks
      val made = narrow(plan).execute()
      if (run.looks == looks) held = Some(made)
      made
    })
  }

  /** Whether this thread is running a plan here. */
  def isUnderWay: Boolean = underWay.get != null

  /** Not in the nodes: Spark serializes them where it cleans closures. */
  private val underWay = new ThreadLocal[Run]

  /** A value that is made anew in each run of a plan, when it is first asked for. */
  final class EachRun[T](make: => T) {
    private var value = Option.empty[(Run, Long, T)]

    def get: T = {
      val now = underWay.get
      now.looks += 1
      value match {
        case Some((`now`, number, made)) if number == now.number => made
        case _ =>
          val made = make
          value = Some((now, now.number, made))
          made
      }
    }
  }

  /** The state that all tasks of one plan share; `number` is that of the time that it is run, `looks` counts its
   *  tasks, and how often a value that depends on rows was asked for. */
  private[assay] final class Run(val started: TaskContextImpl => Unit) {
    var number = 0L
    var looks = 0L

    /** Inside a task, Spark's code reads its settings from the task's properties. */
    val confs = new Properties
    SQLConf.get.getAllConfs.foreach { case (key, value) => if (key.startsWith("spark")) confs.setProperty(key, value) }
  }

  private def narrow(plan: SparkPlan): SparkPlan = {
    val here = plan match {
      case ReusedExchangeExec(output, BroadcastExchangeExec(mode, child)) =>
        LocalBroadcastExec(output, mode, narrow(child))
      case reused @ ReusedExchangeExec(output, exchange: ShuffleExchangeExec) =>
        ExchangeHereExec(output, reused.outputPartitioning, exchange, narrow(exchange.child))
      case BroadcastExchangeExec(mode, child) => LocalBroadcastExec(child.output, mode, narrow(child))
      case exchange: ShuffleExchangeExec =>
        ExchangeHereExec(exchange.output, exchange.outputPartitioning, exchange, narrow(exchange.child))
      case _: AdaptiveSparkPlanExec | _: InMemoryTableScanExec | _: DataSourceScanExec =>
        throw new Elsewhere(plan.nodeName)
      // It runs its steps as queries of their own, and keeps their rows. Spark has it since 4.0.
      case _: LeafExecNode if plan.nodeName == "UnionLoop" => throw new Elsewhere(plan.nodeName)
      case leaf: LeafExecNode => LeafHereExec(leaf)
      case other => other.withNewChildren(other.children.map(narrow))
    }
    here.transformExpressions { case subquery: ExecSubqueryExpression =>
      subquery.withNewPlan(LocalSubqueryExec(subquery.plan.name, narrow(body(subquery.plan))))
    }
  }

  private def body(subquery: BaseSubqueryExec): SparkPlan = subquery match {
    case ReusedSubqueryExec(child) => body(child)
    case SubqueryExec(_, child, _) => child
    case other => throw new Elsewhere(other.nodeName)
  }

  def collect(plan: SparkPlan): Array[InternalRow] = gathered(plan.execute())

  /** The rows of all partitions. */
  def gathered(rdd: RDD[InternalRow]): Array[InternalRow] = {
    val rows = mutable.ArrayBuffer.empty[InternalRow]
    run[InternalRow, Unit](rdd, rdd.partitions.indices, (_, all) => all.foreach(rows += _.copy()), (_, _) => ())
    rows.toArray
  }

  /** Does `work` with each of these partitions of `rdd`, as a job would. */
  def run[T, U](
      rdd: RDD[T], partitions: Seq[Int], work: (TaskContext, Iterator[T]) => U, result: (Int, U) => Unit): Unit = {
    // A shuffle that never ran would read as empty, in silence.
    if (shuffles(rdd).exists(!DriverShuffle.reads(_))) throw new Elsewhere("shuffle")
    partitions.zipWithIndex.foreach { case (partition, place) =>
      result(place, inTask(rdd, partition)(work))
    }
  }

  /** Whether rows reach `rdd` through a shuffle anywhere in its lineage. */
  def hasShuffle(rdd: RDD[_]): Boolean = shuffles(rdd).nonEmpty

  private def shuffles(rdd: RDD[_]): Seq[ShuffleDependency[_, _, _]] = {
    val seen = mutable.Set.empty[Int]
    def visit(each: RDD[_]): Seq[ShuffleDependency[_, _, _]] =
      if (seen.add(each.id)) each.dependencies.flatMap {
        case shuffle: ShuffleDependency[_, _, _] => shuffle +: visit(shuffle.rdd)
        case narrow => visit(narrow.rdd)
      } else Nil
    visit(rdd)
  }

  private val attempts = new AtomicLong(Long.MaxValue / 2)

  /** `work` with one partition of `rdd`, in a task context of its own, whose memory is given back. */
  def inTask[T, U](rdd: RDD[T], partition: Int)(work: (TaskContext, Iterator[T]) => U): U = {
    val run = underWay.get
    run.looks += 1
    val attempt = attempts.incrementAndGet()
    val pages = new TaskMemoryManager(SparkEnv.get.memoryManager, attempt)
    val context =
      new TaskContextImpl(0, 0, partition, attempt, 0, rdd.partitions.length, pages, run.confs, null, new TaskMetrics)
    val around = TaskContext.get()
    run.started(context)
    TaskContext.setTaskContext(context)
    try {
      val result = try work(context, rdd.iterator(rdd.partitions(partition), context)) catch {
        case e: Throwable =>
          context.markTaskFailed(e)
          throw e
      }
      context.markTaskCompleted(None)
      result
    } finally {
      try context.markTaskCompleted(None) finally {
        pages.cleanUpAllAllocatedMemory()
        if (around == null) TaskContext.unset() else TaskContext.setTaskContext(around)
        // The work around this one goes on now, so a stop must end that work.
        around match {
          case outer: TaskContextImpl => run.started(outer)
          case _ => ()
        }
      }
    }
  }
}

/** A leaf as it is. It stands between a plan and its copy for the driver, all of whose other nodes are new: a node keeps
 *  the RDD that it has made, and one that was made here is of no use to a job. */
private[assay] case class LeafHereExec(child: SparkPlan) extends UnaryExecNode {
  override def output: Seq[Attribute] = child.output

  override def outputPartitioning: Partitioning = child.outputPartitioning

  override protected def doExecute(): RDD[InternalRow] = child.execute()

  override protected def withNewChildInternal(newChild: SparkPlan): LeafHereExec = copy(child = newChild)
}

/** A broadcast's value, made where the plan is run. */
private[assay] case class LocalBroadcastExec(
    output: Seq[Attribute], mode: BroadcastMode, @transient child: SparkPlan)
  extends UnaryExecNode {

  override def outputPartitioning: Partitioning = UnknownPartitioning(1)

  override protected def doExecute(): RDD[InternalRow] = throw new UnsupportedOperationException(nodeName)

  override protected[sql] def doExecuteBroadcast[T](): Broadcast[T] = {
    val rows = child.execute()
    new LocalBroadcast(new DriverRun.EachRun(mode.transform(DriverRun.gathered(rows)).asInstanceOf[T]))
  }

  override protected def withNewChildInternal(newChild: SparkPlan): LocalBroadcastExec = copy(child = newChild)
}

/** Not to be sent anywhere: Spark's closure cleaner serializes what closures hold, so the value stays behind. */
private[assay] final class LocalBroadcast[T](@transient private val local: DriverRun.EachRun[T])
  extends Broadcast[T](-1L)(scala.reflect.ClassTag.Any.asInstanceOf[scala.reflect.ClassTag[T]]) {

  override protected def getValue(): T = local.get

  override protected def doUnpersist(blocking: Boolean): Unit = ()

  override protected def doDestroy(blocking: Boolean): Unit = ()
}

/** A subquery's rows, computed where the plan is run. */
private[assay] case class LocalSubqueryExec(name: String, @transient child: SparkPlan)
  extends BaseSubqueryExec with UnaryExecNode {

  override def executeCollect(): Array[InternalRow] = DriverRun.collect(child)

  override protected def doExecute(): RDD[InternalRow] = throw new UnsupportedOperationException(nodeName)

  override protected def withNewChildInternal(newChild: SparkPlan): LocalSubqueryExec = copy(child = newChild)
}
