package org.apache.spark.sql.assay

import java.util.concurrent.{Callable, ExecutionException, Executors => Pools}

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan}
import org.apache.spark.sql.types.StructType

/** Optimizes one analyzed query in two threads at once. Queries that are derived from one DataFrame share its
 *  expressions, and the optimizer evaluates some of them, so an expression that keeps state is to be copied first
 *  (SPARK-58204). */
private[assay] object Siblings {
  /** The setting that asks for it: `true`. */
  val Key = "spark.assay.siblings"

  /** A thread had another optimized plan than the query has alone. */
  final class Differ(message: String, cause: Throwable) extends RuntimeException(message, cause)

  private val Threads = 2
  private val Rounds = 12
  /** No further round begins after this time: the threads have computed at once for many time slices by then. */
  private val Nanoseconds = 250000000L
  /** The rows of a local relation here: both threads are to compute with them for several milliseconds, a time slice. */
  private val Rows = 20000

  /** @throws Differ once a thread has another plan or an error in one of several rounds; a query that raises when it is
   *                 optimized alone is left to its leg */
  def check(spark: Release.Session, analyzed: LogicalPlan): Unit =
    if (spark.conf.get(Key, "false").toBoolean) {
      val query = lengthened(analyzed)
      optimized(spark, query).foreach(check(spark, query, _))
    }

  private def check(spark: Release.Session, query: LogicalPlan, alone: Optimized): Unit = {
    val pool = Pools.newFixedThreadPool(Threads)
    val work: Callable[Optimized] = () => optimized(spark, query).get
    val started = System.nanoTime()
    val rounds = Iterator.range(0, Rounds).takeWhile(_ == 0 || System.nanoTime() - started < Nanoseconds)
    try for (_ <- rounds; plan <- pool.invokeAll(Seq.fill(Threads)(work).asJava).asScala) {
      if (!plan.get.isLike(alone) && hasOnePlan(spark, query, alone)) {
        throw new Differ("two threads that optimize the query at once compute other values", null)
      }
    } catch {
      case e: ExecutionException => throw new Differ("two threads that optimize the query at once raise an error", e.getCause)
    } finally pool.shutdownNow()
  }

  /** Whether one thread has the same plan each time. The plan may depend on the order of a set, which has hashes of new
   *  identifiers: so do the rows of an Expand for several DISTINCT aggregates. Then another plan tells nothing. */
  private def hasOnePlan(spark: Release.Session, query: LogicalPlan, alone: Optimized): Boolean =
    (1 to Rounds).forall(_ => optimized(spark, query).toOption.exists(_.isLike(alone)))

  private def optimized(spark: Release.Session, query: LogicalPlan): Try[Optimized] =
    Try(spark.withActive(new Optimized(Release.frame(spark, query).queryExecution.optimizedPlan)))

  /** The text of an optimized plan, which has its constants, and the rows that it holds. */
  private final class Optimized(plan: LogicalPlan) {
    private val text = PlanText.renumbered(PlanText.of(plan))
    private val rows = plan.collectWithSubqueries { case local: LocalRelation => (local.schema, local.data) }

    def isLike(other: Optimized): Boolean =
      text == other.text && rows.length == other.rows.length && rows.zip(other.rows).forall {
        // Maps are equal to themselves alone, so what differs is compared once more, by its bytes.
        case ((schema, mine), (_, others)) => mine == others || bytes(schema, mine) == bytes(schema, others)
      }

    private def bytes(schema: StructType, rows: Seq[InternalRow]): Seq[InternalRow] = {
      val project = MemoryTable.unsafe(schema)
      rows.map(row => project(row).copy())
    }
  }

  /** The plan with the rows of each local relation, if it has any, several times. */
  private def lengthened(plan: LogicalPlan): LogicalPlan = plan.transformUpWithSubqueries {
    case local: LocalRelation if local.data.nonEmpty =>
      val longer = local.copy(data = Seq.fill(math.max(1, Rows / local.data.length))(local.data).flatten)
      longer.copyTagsFrom(local)
      longer
  }
}
