package org.apache.spark.sql.assay

import java.util.Properties
import java.util.concurrent.atomic.AtomicLong

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.{NarrowDependency, Partition, ShuffleDependency, SparkEnv, TaskContext, TaskContextImpl, TaskKilledException}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.executor.TaskMetrics
import org.apache.spark.memory.{SparkOutOfMemoryError, TaskMemoryManager}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.{BroadcastMode, Partitioning, SinglePartition, UnknownPartitioning}
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, ReusedExchangeExec, ShuffleExchangeExec}
import org.apache.spark.sql.internal.SQLConf

/** Runs a physical plan in the calling thread, without jobs and tasks: over tiny tables they are what a query costs.
 *
 *  Every leaf, union and exchange becomes one partition that is reached without a shuffle; broadcasts are values,
 *  subqueries are run in place, and so is what an operator shuffles within (see [[DriverShuffle]]). What the operators
 *  do with the rows is Spark's own code. A plan that needs more (files, caches, adaptive execution, a shuffle that sorts)
 *  isn't run at all: see [[rows]]. */
private[assay] object DriverRun {
  /** The plan can't be run here; an ordinary job has to. */
  private final class Elsewhere(why: String) extends RuntimeException(why, null, false, false)

  /** The rows of `plan`, or None where an ordinary job has to run it: also wherever anything is raised here, so that no
   *  fault of this object is ever taken for one of the query. Call it under the session and confs of the leg.
   *  `started` is told each task context, so that the work can be stopped from another thread. */
  def rows(plan: SparkPlan)(started: TaskContextImpl => Unit): Option[Array[InternalRow]] = {
    told.set(started)
    try Some(collect(narrow(plan))) catch {
      case e: TaskKilledException => throw e
      case NonFatal(_) | _: StackOverflowError | _: SparkOutOfMemoryError => None
    } finally told.remove()
  }

  /** Whether this thread is running a plan here. */
  def isUnderWay: Boolean = told.get != null

  /** Not in the nodes: Spark serializes them where it cleans closures. */
  private val told = new ThreadLocal[TaskContextImpl => Unit]

  private def narrow(plan: SparkPlan): SparkPlan = {
    val here = plan match {
      case ReusedExchangeExec(output, BroadcastExchangeExec(mode, child)) =>
        LocalBroadcastExec(output, mode, narrow(child))
      case ReusedExchangeExec(output, exchange) => OnePartitionExec(output, narrow(exchange.children.head))
      case BroadcastExchangeExec(mode, child) => LocalBroadcastExec(child.output, mode, narrow(child))
      case exchange: ShuffleExchangeExec => OnePartitionExec(exchange.output, narrow(exchange.child))
      case union: UnionExec => OnePartitionExec(union.output, union.withNewChildren(union.children.map(narrow)))
      case _: AdaptiveSparkPlanExec | _: InMemoryTableScanExec | _: DataSourceScanExec =>
        throw new Elsewhere(plan.nodeName)
      case leaf: LeafExecNode => OnePartitionExec(leaf.output, leaf)
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

  def collect(plan: SparkPlan): Array[InternalRow] = {
    val rdd = plan.execute()
    // A shuffle that never ran would read as empty, in silence.
    if (shuffles(rdd).exists(!DriverShuffle.reads(_))) throw new Elsewhere("shuffle")
    rdd.partitions.flatMap(part => inTask(context => rdd.iterator(part, context).map(_.copy()).toArray))
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

  /** `work` in a task context of its own, whose memory is given back. */
  private def inTask[T](work: TaskContext => T): T = {
    val attempt = attempts.incrementAndGet()
    // Inside a task, Spark's code reads its settings from the task's properties.
    val confs = new Properties
    SQLConf.get.getAllConfs.foreach { case (key, value) => if (key.startsWith("spark")) confs.setProperty(key, value) }
    val pages = new TaskMemoryManager(SparkEnv.get.memoryManager, attempt)
    val context = new TaskContextImpl(0, 0, 0, attempt, 0, 1, pages, confs, null, new TaskMetrics)
    val around = TaskContext.get()
    Option(told.get).foreach(tell => tell(context))
    TaskContext.setTaskContext(context)
    try {
      val result = try work(context) catch {
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
      }
    }
  }
}

/** The rows of all partitions of `child`, one partition after the other, as one: exactly one, even if `child` has none.
 *  Its columns are called `output`, which matters where an exchange is used twice. */
private[assay] case class OnePartitionExec(output: Seq[Attribute], child: SparkPlan) extends UnaryExecNode {
  override def outputPartitioning: Partitioning = SinglePartition

  override protected def doExecute(): RDD[InternalRow] = new OnePartitionRDD(child.execute())

  override protected def withNewChildInternal(newChild: SparkPlan): OnePartitionExec = copy(child = newChild)
}

private[assay] final class OnePartitionRDD(all: RDD[InternalRow]) extends RDD[InternalRow](
    all.sparkContext,
    Seq(new NarrowDependency(all) { override def getParents(id: Int): Seq[Int] = all.partitions.indices })) {

  override protected def getPartitions: Array[Partition] = Array(OnlyPartition)

  override def compute(split: Partition, context: TaskContext): Iterator[InternalRow] = {
    val parent = firstParent[InternalRow]
    parent.partitions.iterator.flatMap(parent.iterator(_, context))
  }
}

/** A broadcast's value, made where the plan is run. */
private[assay] case class LocalBroadcastExec(
    output: Seq[Attribute], mode: BroadcastMode, @transient child: SparkPlan)
  extends UnaryExecNode {

  override def outputPartitioning: Partitioning = UnknownPartitioning(1)

  override protected def doExecute(): RDD[InternalRow] = throw new UnsupportedOperationException(nodeName)

  override protected[sql] def doExecuteBroadcast[T](): Broadcast[T] =
    new LocalBroadcast(mode.transform(DriverRun.collect(child)).asInstanceOf[T])

  override protected def withNewChildInternal(newChild: SparkPlan): LocalBroadcastExec = copy(child = newChild)
}

/** Not to be sent anywhere: Spark's closure cleaner serializes what closures hold, so the value stays behind. */
private[assay] final class LocalBroadcast[T](@transient private val local: T)
  extends Broadcast[T](-1L)(scala.reflect.ClassTag.Any.asInstanceOf[scala.reflect.ClassTag[T]]) {

  override protected def getValue(): T = local

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
