package org.apache.spark.sql.assay

import java.util.{Collections, TreeMap, WeakHashMap}
import java.util.concurrent.{ConcurrentHashMap, ConcurrentSkipListSet}
import java.util.concurrent.atomic.LongAdder

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession

/** How often each switched rule was called, and changed its plan, since the last reset; one per session.
 *  A session runs one query at a time, so this is per query; the query's subqueries and adaptive
 *  re-planning run on other threads, hence the adders. */
private[assay] final class RuleCounters {
  private final class Count {
    val calls = new LongAdder
    val effective = new LongAdder
  }

  private val counts = new ConcurrentHashMap[String, Count]
  private val faults = new ConcurrentHashMap[String, ConcurrentSkipListSet[String]]
  private val plansSeen = new ConcurrentHashMap[String, PlansSeen]
  @volatile private var watched: Option[String] = None
  @volatile private var sight: Option[(String, String)] = None

  /** Starts the counts again; what plans have held is kept for as long as the session lasts. */
  def reset(): Unit = {
    counts.clear()
    faults.clear()
    plansSeen.values.forEach(_.newLeg())
    unwatch()
  }

  def record(rule: String, effective: Boolean): Unit = {
    val count = counts.computeIfAbsent(rule, _ => new Count)
    count.calls.increment()
    if (effective) count.effective.increment()
  }

  /** Effective calls of `rule` since the last reset. */
  def changes(rule: String): Long = Option(counts.get(rule)).fold(0L)(_.effective.sum)

  /** Notes the faults that [[Misbehaviour]] found in `rule`. */
  def blame(rule: String, what: Seq[String]): Unit =
    if (what.nonEmpty) faults.computeIfAbsent(rule, _ => new ConcurrentSkipListSet[String]).addAll(what.asJava)

  /** `rule -> faults` since the last reset, sorted by name. */
  def misbehaviour(): TreeMap[String, Array[String]] = {
    val all = new TreeMap[String, Array[String]]
    faults.forEach((rule, found) => all.put(rule, found.toArray(Array.empty[String])))
    all
  }

  /** The plans that each rule was given: this outlives the resets. */
  def plansSeenBy(rule: String): PlansSeen = plansSeen.computeIfAbsent(rule, _ => new PlansSeen)

  /** `rule -> ` [[PlansSeen.asMap]] over the session. */
  def allPlansSeen(mostShapes: Int): TreeMap[String, Any] = {
    val all = new TreeMap[String, Any]
    plansSeen.forEach((rule, plans) => all.put(rule, plans.asMap(mostShapes)))
    all
  }

  /** `rule -> [calls, effective calls]`, sorted by name. */
  def snapshot(): TreeMap[String, Array[Long]] = {
    val all = new TreeMap[String, Array[Long]]
    counts.forEach((rule, count) => all.put(rule, Array(count.calls.sum, count.effective.sum)))
    all
  }

  /** Keep the plan around the first effective call of `rule`. */
  def watch(rule: String): Unit = {
    sight = None
    watched = Some(rule)
  }

  def unwatch(): Unit = {
    watched = None
    sight = None
  }

  def seen: Option[(String, String)] = sight

  /** Tells of an effective call; the texts are only made for the first one that is watched. */
  def show(rule: String, before: => String, after: => String): Unit =
    if (watched.contains(rule) && sight.isEmpty) sight = Some((before, after))
}

private[assay] object RuleCounters {
  private val bySession = Collections.synchronizedMap(new WeakHashMap[SparkSession, RuleCounters])

  def of(session: SparkSession): RuleCounters = bySession.computeIfAbsent(session, _ => new RuleCounters)
}
