package org.apache.spark.sql.assay

import java.nio.charset.StandardCharsets.UTF_8
import java.util.{Base64, LinkedHashMap, Map => JavaMap, TreeMap}

import com.fasterxml.jackson.databind.ObjectMapper

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SparkPlan

/** The work of one leg. The plans are those that it reached before it ended; texts are made when asked for, and are
 *  empty for a plan that was not reached; `fingerprinted` is the executed one's fingerprint where it is known. `rules` are those of Spark's tracker that changed the plan. */
final class LegReport private[assay] (
    optimized: Option[LogicalPlan],
    executed: Option[SparkPlan],
    fingerprinted: Option[String],
    rules: TreeMap[String, Array[Long]],
    injected: TreeMap[String, Array[Long]],
    misbehaviour: TreeMap[String, Array[String]],
    milliseconds: TreeMap[String, Double],
    bytes: Array[Byte],
    counts: Array[Int],
    inDriver: Boolean,
    written: Option[JavaMap[String, Long]],
    failure: Option[RaisedInfo],
    executors: Option[TreeMap[String, Long]],
    noneLeft: String) {

  /** Made at once: what a scan prints depends on the leg's conf. */
  private val executedDigest = fingerprinted.getOrElse(executed.fold("")(PlanText.fingerprint(_)))
  private val executedShape = executed.fold("")(PlanText.shape(_))

  /** The rows as an Arrow IPC stream; null when the leg raised or only planned. */
  def arrow(): Array[Byte] = bytes

  /** How the leg failed, or null. */
  def error(): RaisedInfo = failure.orNull

  def optimizedPlan(): String = optimized.fold("")(PlanText.of)

  /** The plan that ran, or, when the leg only planned, the one that would run first. */
  def executedPlan(): String = executed.fold("")(PlanText.executed)

  /** 16 hex digits of the executed plan and of the rows that it holds, equal for plans that differ only in ids and file
   *  locations; empty where there is none. */
  def fingerprint(): String = executedDigest

  /** 16 hex digits of the executed plan's operators; empty where there is none. */
  def shape(): String = executedShape

  /** [[facts]], a line feed, and [[arrow]] if there is any, in Base64: Python takes bytes apart one by one. */
  def told(): String = {
    val said = (facts() + "\n").getBytes(UTF_8)
    Base64.getEncoder.encodeToString(if (bytes == null) said else said ++ bytes)
  }

  /** Everything but rows and plan texts, in one call: a JSON object with the keys `rules` and `injected` (those behind
   *  a switch), both name to [calls, effective calls], `misbehaviour` (name to faults, see [[Misbehaviour]]),
   *  `fingerprint`, `shape`, `milliseconds` (phase to time), `inDriver` (whether the rows were computed without a job),
   *  `written` (of rows that were written: see [[LegRunner.toldWritten]]), `counts` (of the rows of each database, -1
   *  for one over which the plan can't be run in the driver) and `error` (null, or the fields of [[RaisedInfo]]).
   *
   *  On a cluster also `executors` (id to the tasks that it ended for this leg) and `noneLeft` (why it is not the query
   *  that failed: nothing is left to run it; else empty). */
  def facts(): String = {
    val all = new LinkedHashMap[String, Any]
    all.put("rules", rules)
    all.put("injected", injected)
    all.put("misbehaviour", misbehaviour)
    all.put("fingerprint", fingerprint())
    all.put("shape", shape())
    all.put("milliseconds", milliseconds)
    all.put("inDriver", inDriver)
    all.put("counts", counts)
    written.foreach(all.put("written", _))
    all.put("error", failure.map(_.asMap).orNull)
    executors.foreach { own =>
      all.put("executors", own)
      all.put("noneLeft", noneLeft)
    }
    LegReport.json.writeValueAsString(all)
  }
}

private[assay] object LegReport {
  private val json = new ObjectMapper
}
