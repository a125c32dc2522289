package org.apache.spark.sql.assay

import java.io.ByteArrayInputStream
import java.util.{Map => JavaMap, TreeMap}

import scala.util.control.NonFatal

import com.fasterxml.jackson.core.`type`.TypeReference
import com.fasterxml.jackson.databind.ObjectMapper
import py4j.GatewayServer

import userfunctions.UserFunctions

import org.apache.spark.TaskContextImpl
import org.apache.spark.sql.assay.connector.{Capability, SourceCatalog, SourceTable}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.RuleExecutor
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan, SQLExecution}

/** Runs one leg of a check in few calls from Python: confs in, a [[LegReport]] out. An error of the query is part of
 *  the report; an exception from here is the caller's mistake. */
object LegRunner {
  import Release.{Frame, Session}

  private val json = new ObjectMapper

  /** Builds what a session builds lazily, makes every rule of it once, and adds the rules of the point
   *  `experimental`, [[JoinHints]] and the user-defined functions in Scala: the errors of loading, one a line, or an
   *  empty text. Call it once for each session. */
  def ready(spark: Session): String = {
    // Otherwise every RDD walks the stack for where it was made.
    Seq("callSite.short", "callSite.long").foreach(spark.sparkContext.setLocalProperty(_, "assay"))
    val state = spark.sessionState
    Seq[() => Any](() => state.analyzer, () => state.optimizer, () => state.planner, () => state.planNormalizationRules,
      () => state.adaptiveRulesHolder, () => state.columnarRules).foreach(build => build())
    UserFunctions.register(spark)
    spark.experimental.extraOptimizations = Switches.experimental.map(_.logical(spark)) :+ JoinHints
    Switches.attemptAll(spark)
    Switches.errors.mkString("\n")
  }

  /** Has answers to Python sent at once: see [[Answers]]. */
  def answerAtOnce(server: GatewayServer): Unit = Answers.atOnce(server)

  /** Sets exactly these confs on top of the session's own, after undoing those of an earlier call, and starts
   *  the counts of injected rules again.
   *  @throws org.apache.spark.sql.AnalysisException a conf cannot be changed in a running session */
  def configure(spark: Session, conf: JavaMap[String, String]): Unit = {
    // Every batch of rules adds up these figures of the whole process, which nobody reads.
    RuleExecutor.resetMetrics()
    LegConf.set(spark, conf)
    RuleCounters.of(spark).reset()
  }

  /** The same, with the confs as a JSON object: one call from Python instead of one for each key. */
  def configure(spark: Session, conf: String): Unit =
    configure(spark, json.readValue(conf, new TypeReference[java.util.HashMap[String, String]] {}))

  /** Puts back what [[configure]] found. */
  def restore(spark: Session): Unit = LegConf.restore(spark)

  /** The counts of injected rules since [[configure]], as in [[LegReport.facts]]: what is left of a query that could
   *  not be analyzed. */
  def injected(spark: Session): String = json.writeValueAsString(RuleCounters.of(spark).snapshot())

  /** The faults of injected rules since [[configure]], as in [[LegReport.facts]]. */
  def misbehaviour(spark: Session): String = json.writeValueAsString(RuleCounters.of(spark).misbehaviour())

  /** The plans that each injected rule was given while misbehaviour was watched, over the whole session: a JSON object
   *  of [[PlansSeen.asMap]] by rule; under the empty name the analyzed plans themselves. */
  def plansSeen(spark: Session, mostShapes: Int): String =
    json.writeValueAsString(RuleCounters.of(spark).allPlansSeen(mostShapes))

  /** The names that a rule's class mentions: a JSON object of [[RuleReferences.all]]. */
  def referencesOf(spark: Session, className: String): String =
    json.writeValueAsString(RuleReferences.all(spark, className))

  /** How something that Python caught failed. */
  def describe(raised: Throwable): RaisedInfo = RaisedInfo.of(raised)

  /** A DataFrame over the same analyzed plan that has not been optimized yet, for another leg. */
  def fresh(frame: Frame): Frame = {
    val analyzed = frame.queryExecution.analyzed
    if (Statements.isStatement(analyzed)) Statements.of(frame.sparkSession, analyzed)
    else Release.frame(frame.sparkSession, analyzed)
  }

  /** Optimizes and plans, without execution. */
  def plan(frame: Frame): LegReport = lead(frame.sparkSession, 0, _ => frame, execute = false)

  /** [[plan]] in one call from Python: see [[LegReport.told]]. */
  def toldPlan(frame: Frame): String = plan(frame).told()

  /** [[run]] or [[runInDriver]] in one call from Python. Nothing is run where the executed plan's fingerprint is `known`:
   *  whoever has seen that plan has its rows. A plan that runs in the driver does so over so many of the databases that are
   *  loaded, one plan for all; the report's rows are those of one after the other. */
  def toldRun(frame: Frame, timeoutMillis: Long, inDriver: Boolean, known: String, databases: Int): String =
    lead(frame.sparkSession, timeoutMillis, _ => frame, execute = true, inDriver, known, databases = databases).told()

  /** Runs the query; its jobs are cancelled after `timeoutMillis` (0: never). */
  def run(frame: Frame, timeoutMillis: Long): LegReport =
    lead(frame.sparkSession, timeoutMillis, _ => frame, execute = true)

  /** A run in one call from Python, with the rows in parquet files below `folder` (see [[WrittenRows]]) instead of in the
   *  report, which says how many there are, and what [[Exercise]] tells of the plan that ran. */
  def toldWritten(frame: Frame, timeoutMillis: Long, folder: String): String =
    lead(frame.sparkSession, timeoutMillis, _ => frame, execute = true, folder = folder).told()

  /** The same in the calling thread instead of in jobs, where the plan lets it: see [[DriverRun]]. */
  def runInDriver(frame: Frame, timeoutMillis: Long): LegReport =
    lead(frame.sparkSession, timeoutMillis, _ => frame, execute = true, inDriver = true)

  /** Temporary views of these names, one a line, over the rows of as many Arrow IPC streams: see [[MemoryTable]]. The
   *  rows of each table are dealt out to `partitions` partitions; each table begins one further than the one before it,
   *  so that the first partitions may be empty, too. */
  def load(spark: Session, names: String, streams: Array[Byte], partitions: Int): Unit = {
    val input = new ByteArrayInputStream(streams)
    names.linesIterator.zipWithIndex.foreach { case (name, place) =>
      MemoryTable.create(spark, name, input, partitions, place)
    }
  }

  /** The same over tables of a data source of the second kind with these `capabilities`, one a line: see
   *  [[MemoryTable.ofSource]].
   *  @throws IllegalArgumentException for a word that is no capability */
  def loadSource(spark: Session, names: String, streams: Array[Byte], partitions: Int, capabilities: String): Unit =
    MemoryTable.ofSource(spark, names.linesIterator.toSeq, new ByteArrayInputStream(streams), partitions,
      Capability.read(capabilities))

  /** The rows of one such stream as a LocalRelation. */
  def local(spark: Session, stream: Array[Byte]): Frame = MemoryTable.local(spark, new ByteArrayInputStream(stream))

  /** Takes those views away. */
  def unload(spark: Session, names: String): Unit = {
    SourceCatalog.of(Nil)
    names.linesIterator.foreach(name => spark.sessionState.catalog.dropTempView(name))
  }

  /** `text` analyzed under the present confs. */
  def frame(spark: Session, text: String): Frame = spark.sql(text)

  /** The same, [[fresh]]. */
  def freshFrame(spark: Session, text: String): Frame = fresh(frame(spark, text))

  /** `text`, a statement, analyzed under the present confs. Its leg has the rows of the query `answer` afterwards. If that
   *  is empty, the statement changes a table of [[loadSource]], whose rows these are then; the next leg finds the table
   *  as it was loaded. */
  def statement(spark: Session, text: String, answer: String): Frame = Statements.frame(spark, text, answer)

  /** A whole leg in one call: [[configure]], parse and analyze `text`, [[plan]] or [[run]], [[restore]]. */
  def sql(spark: Session, conf: String, text: String, timeoutMillis: Long, execute: Boolean): LegReport = {
    configure(spark, conf)
    try lead(spark, timeoutMillis, session => session.sql(text), execute) finally restore(spark)
  }

  /** Seconds that Spark itself takes to parse and analyze `text` under the confs `on`, and to optimize and plan it under
   *  these and under `off`; nothing is run, and setting the confs isn't counted. Negative where the query raises. */
  def planning(spark: Session, text: String, on: String, off: String): Double = {
    def timed(conf: String)(frame: => Frame): (Frame, Long) = {
      configure(spark, conf)
      val start = System.nanoTime()
      val planned = frame
      planned.queryExecution.executedPlan
      (planned, System.nanoTime() - start)
    }
    try spark.withActive {
      val (first, one) = timed(on)(spark.sql(text))
      val (_, other) = timed(off)(fresh(first))
      (one + other) / 1e9
    } catch { case NonFatal(_) => -1 } finally restore(spark)
  }

  /** Every rule of the session's optimizers, one a line: `batch|rule|excludable`; batches of AQE start with `AQE:`. */
  def rules(spark: Session): String = OptimizerRules.lines(spark).mkString("\n")

  /** The plan before and after the first effective call of `rule` on this query, or two empty texts: an optimizer rule
   *  by its full or simple name, an injected rule also by its switch's name. Plans, and if need be runs, the query once
   *  more, under the present confs. */
  def aroundRule(frame: Frame, rule: String): Array[String] = {
    val (before, after) = OptimizerRules.around(frame, rule).getOrElse(("", ""))
    Array(before, after)
  }

  /** Keeps the plan around the first effective call of an injected rule from now on, for [[seen]]: for one that fires
   *  while a query is analyzed, which no DataFrame can be asked about afterwards. */
  def watch(spark: Session, rule: String): Unit = RuleCounters.of(spark).watch(rule)

  /** The texts kept since [[watch]], or two empty ones; nothing is watched any more. */
  def seen(spark: Session): Array[String] = {
    val counters = RuleCounters.of(spark)
    val (before, after) = counters.seen.getOrElse(("", ""))
    counters.unwatch()
    Array(before, after)
  }

  /** The plans before and after each effective call of a rule of the optimizer: a JSON array of pairs. */
  def changes(frame: Frame, rule: String): String =
    json.writeValueAsString(OptimizerRules.changes(frame, rule).map { case (before, after) => Array(before, after) }.toArray)

  private[assay] def inJobs(qe: QueryExecution): Array[InternalRow] =
    SQLExecution.withNewExecutionId(qe, Some("assay"))(qe.executedPlan.executeCollect())

  private def lead(
      spark: Session, timeoutMillis: Long, frame: Session => Frame, execute: Boolean, inDriver: Boolean = false,
      known: String = "", folder: String = "", databases: Int = 1) = {
    val leg = new Leg(spark, inDriver, known, folder, databases)
    Executors.of(spark.sparkContext).foreach(_.start())
    spark.withActive {
      leg.note(Alarm.within(spark.sparkContext, timeoutMillis, () => leg.stop())(leg.attempt(frame, execute)))
    }
    leg.report
  }

  /** The state of a leg while it runs: what it has reached so far. */
  private final class Leg(spark: Session, inDriver: Boolean, known: String, folder: String, databases: Int) {
    @volatile private var task = Option.empty[TaskContextImpl]
    private var ranInDriver = false
    private var execution = Option.empty[QueryExecution]
    private var optimized = Option.empty[LogicalPlan]
    private var executed = Option.empty[SparkPlan]
    private var beforeRunning = Option.empty[String]
    private var bytes: Array[Byte] = _
    private var counts = Array.empty[Int]
    private var written = Option.empty[JavaMap[String, Long]]
    private var failure = Option.empty[RaisedInfo]
    private var target = Option.empty[SourceTable]
    private var answer = Option.empty[QueryExecution]
    private val milliseconds = new TreeMap[String, Double]

    def attempt(frame: Session => Frame, execute: Boolean): Option[Throwable] =
      try {
        val qe = timed("analyze")(frame(spark).queryExecution)
        execution = Some(qe)
        if (Misbehaviour.isWatched) RuleCounters.of(spark).plansSeenBy("").see(CleanPlan(qe.analyzed))
        target = Statements.target(qe.analyzed)
        target.foreach(_.reset())
        optimized = Some(timed("optimize")(qe.optimizedPlan))
        executed = Some(timed("plan")(qe.executedPlan))
        if (folder.nonEmpty) {
          val count = timed("execute")(WrittenRows.write(qe, folder))
          written = Some(Exercise.of(qe.executedPlan))
          written.foreach(_.put("rows", count))
        } else if (execute && !isKnown) {
          val rows = timed("execute")(target.fold(collect(qe))(Statements.run(qe, _)))
          // A statement would be run by each DataFrame of it.
          if (target.isEmpty) {
            PlanPromises.check(asked(qe).analyzed, asked(qe).optimizedPlan, rows)
            Siblings.check(spark, asked(qe).analyzed)
          }
          val others = if (ranInDriver && databases > 1) timed("others")(again(qe)) else Nil
          counts = (rows.length +: others.map(_.fold(-1)(_.length))).toArray
          bytes = timed("encode")(ArrowStream.encode(rows ++ others.flatten.flatten, target.fold(asked(qe).analyzed.schema)(_.rowType)))
        }
        None
      } catch {
        case e: VirtualMachineError if !e.isInstanceOf[StackOverflowError] => throw e
        case e: Throwable => Some(Statements.checked(target, e))
      }

    /** Whoever knows the plan of a statement does not know that of the query after it. */
    private def isKnown: Boolean = known.nonEmpty && execution.forall(qe => Statements.answer(qe.analyzed).isEmpty) && {
      beforeRunning = executed.map(PlanText.fingerprint(_))
      beforeRunning.contains(known)
    }

    /** Ends what runs in the driver; from another thread. */
    def stop(): Unit = task.foreach(_.markInterrupted("out of time"))

    /** The query whose rows are the leg's: that after a statement, if there is one. */
    private def asked(qe: QueryExecution): QueryExecution = answer.getOrElse(qe)

    private def collect(qe: QueryExecution): Array[InternalRow] = Statements.answer(qe.analyzed).fold(queried(qe)) { text =>
      inJobs(qe)
      answer = Some(spark.sql(text).queryExecution)
      inJobs(asked(qe))
    }

    private def queried(qe: QueryExecution): Array[InternalRow] = {
      val rows = if (inDriver) DriverRun.rows(qe.executedPlan)(context => task = Some(context)) else None
      ranInDriver = rows.isDefined
      rows.getOrElse(inJobs(qe))
    }

    /** The rows of the same plan over each other database; None where it raises, which only a leg of its own can tell. */
    private def again(qe: QueryExecution): Seq[Option[Array[InternalRow]]] =
      try DriverRun.again(qe.executedPlan)(context => task = Some(context)) { rows =>
        (1 until databases).map { database =>
          MemoryTable.version = _ => database
          try {
            val found = rows()
            found.foreach(PlanPromises.check(qe.analyzed, qe.optimizedPlan, _))
            found
          } catch { case _: PlanPromises.Broken => None }
        }
      } finally MemoryTable.reset()

    def note(outcome: (Option[Throwable], Boolean)): Unit = outcome match {
      case (Some(raised), late) => failure = Some(RaisedInfo.of(raised, late))
      case (None, true) => failure = Some(RaisedInfo.of(new java.util.concurrent.TimeoutException, timedOut = true))
      case (None, false) => ()
    }

    def report: LegReport = {
      val executors = Executors.of(spark.sparkContext)
      val rules = new TreeMap[String, Array[Long]]
      for (query <- execution ++ answer; (rule, summary) <- query.tracker.rules if summary.numEffectiveInvocations > 0) {
        val before = Option(rules.get(rule)).getOrElse(Array(0L, 0L))
        rules.put(rule, Array(before(0) + summary.numInvocations, before(1) + summary.numEffectiveInvocations))
      }
      // Jobs may change what a plan says of itself; the driver runs a copy.
      val same = if (ranInDriver || beforeRunning.contains(known)) beforeRunning else None
      new LegReport(optimized, executed, same, rules, RuleCounters.of(spark).snapshot(),
        RuleCounters.of(spark).misbehaviour(), milliseconds, if (failure.isEmpty) bytes else null, counts, ranInDriver,
        written, failure, executors.map(_.atWork()),
        executors.filter(_ => failure.nonEmpty).map(_.whyNone).getOrElse(""))
    }

    private def timed[T](phase: String)(work: => T): T = {
      val start = System.nanoTime()
      try work finally milliseconds.put(phase, (System.nanoTime() - start) / 1e6)
    }
  }
}
