package org.apache.spark.sql.assay

import java.nio.ByteBuffer
import java.util.{ArrayList, LinkedHashMap, Map => JavaMap}

import scala.collection.mutable
import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.ObjectMapper

import org.apache.spark.TaskContextImpl
import org.apache.spark.sql.execution.QueryExecution

/** The plans of one query under two legs' confs, which run over many databases in few calls from Python. The tables have
 *  been loaded with their versions (see [[MemoryTable]]); a database is a choice of a version for each table. */
final class PlanPair private (
    spark: Release.Session, on: PlanPair.Leg, off: PlanPair.Leg, ordered: Boolean) {
  import PlanPair._

  private val types = on.execution.analyzed.output.map(_.dataType).toArray
  private val answers = mutable.HashSet.empty[Any]
  @volatile private var task = Option.empty[TaskContextImpl]

  /** A JSON object: `ordered` and `named`, whether a plan can tell the order of the tables' rows, and the names of their
   *  values (see [[PlanTraits]]), and `problem`: why answers can't be compared here, or an empty text. */
  def facts(): String = {
    val plans = Seq(on, off).map(_.plan)
    val all = new LinkedHashMap[String, Any]
    all.put("ordered", ordered || !plans.forall(PlanTraits.ignoresOrder))
    all.put("named", ordered || !plans.forall(PlanTraits.ignoresNames))
    all.put("problem", problem)
    json.writeValueAsString(all)
  }

  /** The optimized plans as JSON, the one with the rule on first: see [[PlanJson]]. A JSON array of two texts, each empty
   *  where Catalyst has no JSON of the plan. */
  def optimized(): String = json.writeValueAsString(Array(on, off).map { leg =>
    try PlanJson.of(leg.execution.optimizedPlan) catch { case NonFatal(_) => "" }
  })

  private def problem: String =
    if (!types.sameElements(off.execution.analyzed.output.map(_.dataType))) "the analyzed plans have other types"
    else types.find(!RowKey.supports(_)).map(kind => s"no equality of ${kind.simpleString}").orElse {
      try {
        Seq(on, off).foreach(leg => PlanPromises.checkTypes(leg.execution.analyzed, leg.execution.optimizedPlan))
        None
      } catch { case broken: PlanPromises.Broken => Some(broken.getMessage) }
    }.getOrElse("")

  /** Runs both plans over each of the databases in `choices`: for each database the versions of the `tables` tables, of two
   *  bytes each. A plan that runs longer than `timeoutMillis` is stopped.
   *
   *  A JSON object of lists of places in `choices`: `differ` (both plans have rows, and other ones), `unrun` (a plan raises
   *  or needs jobs) and `one_sided` (one plan does, and the other has rows), each of these two at most `most` long, `fresh`
   *  (a plan's answer is one that there never was before, at most `most` in all calls); `ran`, how many databases both plans have
   *  rows over; and `late`, whether it was stopped. */
  def run(choices: Array[Byte], tables: Int, timeoutMillis: Long, most: Int): String = {
    val databases = decoded(choices, tables)
    val differ, unrun, oneSided, fresh = new ArrayList[Int]
    val wanted = new Array[Option[Answer]](databases.length)
    var ran = 0
    val (_, late) = Alarm.within(spark.sparkContext, timeoutMillis, () => task.foreach(_.markInterrupted("out of time"))) {
      try {
        over(on, databases) { (place, answer) => wanted(place) = answer }
        over(off, databases) { (place, answer) =>
          val theirs = wanted(place)
          if (theirs.isEmpty || answer.isEmpty) {
            note(unrun, place, most)
            if (theirs.isDefined || answer.isDefined) note(oneSided, place, most)
          } else {
            ran += 1
            if (!theirs.get.sameAs(answer.get)) differ.add(place)
            val isNew = Seq(theirs.get, answer.get).map(each => answers.size < most && answers.add(each.key))
            if (isNew.contains(true)) fresh.add(place)
          }
        }
      } catch { case _: org.apache.spark.TaskKilledException => () } // `late` tells of it
    }
    val all = new LinkedHashMap[String, Any]
    all.put("differ", differ)
    all.put("unrun", unrun)
    all.put("one_sided", oneSided)
    all.put("fresh", fresh)
    all.put("ran", ran)
    all.put("late", late)
    json.writeValueAsString(all)
  }

  private def over(leg: Leg, databases: Array[Array[Int]])(use: (Int, Option[Answer]) => Unit): Unit = {
    LegRunner.configure(spark, leg.conf)
    try spark.withActive {
      val declared = PlanPromises.withoutNull(leg.execution.optimizedPlan)
      DriverRun.again(leg.plan)(context => task = Some(context)) { rows =>
        databases.indices.foreach { place =>
          MemoryTable.version = databases(place)
          val found = rows().filter(all => !declared.exists(column => all.exists(_.isNullAt(column))))
          use(place, found.map(new Answer(_, types, ordered)))
        }
      }
    } finally {
      MemoryTable.reset()
      LegRunner.restore(spark)
    }
  }
}

object PlanPair {
  private val json = new ObjectMapper

  private[assay] final class Leg(val conf: String, val execution: QueryExecution) {
    val plan = execution.executedPlan
  }

  /** The plans of `text` under the confs `on` and `off`. If these differ only in confs of the optimizer, the plans may
   *  have one analysis: it is `shared`.
   *  @throws Exception what Spark raises where it can't plan the query */
  def of(spark: Release.Session, on: String, off: String, text: String, ordered: Boolean, shared: Boolean): PlanPair = {
    val first = under(spark, on)(LegRunner.freshFrame(spark, text))
    val second = under(spark, off) {
      if (shared) LegRunner.fresh(Release.frame(spark, first.execution.analyzed)) else LegRunner.freshFrame(spark, text)
    }
    new PlanPair(spark, first, second, ordered)
  }

  private def under(spark: Release.Session, conf: String)(frame: => Release.Frame): Leg = {
    LegRunner.configure(spark, conf)
    try spark.withActive(new Leg(conf, frame.queryExecution)) finally LegRunner.restore(spark)
  }

  /** Plans each of `texts`, a JSON array, under `conf`, and runs none. A JSON array with an object for each: `rules` and
   *  `injected`, the names of the rules that changed the plan, and `plan`, its fingerprint. If `wanted` holds names, one a
   *  line, the fingerprint is empty unless one of them is among the former: with `physical` that is known only when the plan
   *  is made. An object without a key stands for a query that Spark can't plan. */
  def plans(spark: Release.Session, conf: String, texts: String, wanted: String, physical: Boolean): String = {
    val names = wanted.linesIterator.toSet
    LegRunner.configure(spark, conf)
    try spark.withActive {
      json.writeValueAsString(json.readValue(texts, classOf[Array[String]]).map(planned(spark, _, names, physical)))
    } finally LegRunner.restore(spark)
  }

  /** The injected rules that fire while the analyzed `frame` is optimized, under each of `confs`: a JSON array of confs in, a
   *  JSON array of arrays of names out. With `physical` it is planned, too; it is never run. A rule that fires before the
   *  query raises counts. */
  def firing(frame: Release.Frame, confs: String, physical: Boolean): String = {
    val (spark, analyzed) = (frame.sparkSession, frame.queryExecution.analyzed)
    json.writeValueAsString(json.readValue(confs, classOf[Array[String]]).map { conf =>
      LegRunner.configure(spark, conf)
      try spark.withActive {
        // No frame: its encoder takes as long as the optimizer.
        val execution = spark.sessionState.executePlan(analyzed)
        try if (physical) execution.executedPlan else execution.optimizedPlan
        catch { case NonFatal(_) | _: StackOverflowError => () }
        fired(spark)
      } finally LegRunner.restore(spark)
    })
  }

  private def fired(spark: Release.Session): Array[String] =
    RuleCounters.of(spark).snapshot().entrySet().toArray(Array.empty[java.util.Map.Entry[String, Array[Long]]])
      .filter(_.getValue()(1) > 0).map(_.getKey)

  private def planned(
      spark: Release.Session, text: String, wanted: Set[String], physical: Boolean): JavaMap[String, Any] = {
    val told = new LinkedHashMap[String, Any]
    try {
      RuleCounters.of(spark).reset()
      // As a frame does, but for its encoder, which takes as long as the optimizer. Injected rules of the analysis count.
      val analyzed = spark.sessionState.executePlan(spark.sessionState.sqlParser.parsePlan(text)).analyzed
      val execution = spark.sessionState.executePlan(analyzed)
      execution.optimizedPlan
      if (physical) execution.executedPlan
      val rules = changed(execution)
      val injected = fired(spark)
      told.put("rules", rules)
      told.put("injected", injected)
      told.put("plan", if (wanted.isEmpty || (rules ++ injected).exists(wanted)) PlanText.fingerprint(execution.executedPlan) else "")
    } catch { case NonFatal(_) | _: StackOverflowError => told.clear() }
    told
  }

  private def changed(execution: QueryExecution): Array[String] =
    execution.tracker.rules.collect { case (rule, summary) if summary.numEffectiveInvocations > 0 => rule }.toArray

  private def note(places: ArrayList[Int], place: Int, most: Int): Unit = if (places.size < most) places.add(place)

  private def decoded(choices: Array[Byte], tables: Int): Array[Array[Int]] = {
    val numbers = ByteBuffer.wrap(choices).asShortBuffer()
    Array.fill(numbers.remaining / tables)(Array.fill(tables)(numbers.get().toInt))
  }
}
