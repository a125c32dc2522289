package org.apache.spark.sql.assay

import scala.collection.mutable.ArrayBuffer
import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions.SubqueryExpression
import org.apache.spark.sql.catalyst.optimizer.Optimizer
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Subquery}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.adaptive.AQEOptimizer
import org.apache.spark.sql.internal.SQLConf

/** Questions to the session's optimizers: their rules, and the plan around one of them. */
private[assay] object OptimizerRules {
  import Release.{Frame, Session}

  private val Patience = 60000L
  private val MostChanges = 100

  /** `batch|rule|excludable`, without what this jar adds. All of AQE's rules are excludable, by a conf of their own. */
  def lines(spark: Session): Seq[String] = {
    val optimizer = spark.sessionState.optimizer
    val kept = optimizer.nonExcludableRules.toSet
    optimizer.defaultBatches.flatMap(b => b.rules.filter(_ ne JoinHints).map(r => s"${b.name}|${r.ruleName}|${!kept(r.ruleName)}")) ++
      adaptiveBatches(spark).flatMap { case (name, rules) => rules.map(r => s"AQE:$name|${r.ruleName}|true") }
  }

  /** AQE's optimizer under default confs, since its batches leave out what the session excludes. They are
   *  public for the JVM only. */
  private def adaptiveBatches(spark: Session): Seq[(String, Seq[Rule[LogicalPlan]])] = {
    val optimizer = new AQEOptimizer(new SQLConf, spark.sessionState.adaptiveRulesHolder.runtimeOptimizerRules)
    val batches = classOf[AQEOptimizer].getMethod("batches").invoke(optimizer).asInstanceOf[Seq[Product]]
    batches.map(b => (b.productElement(0).toString, b.productElement(2).asInstanceOf[Seq[Rule[LogicalPlan]]]))
  }

  /** A rule of the optimizer is found by tracing it; one behind a switch by its switch, and if need be by running the
   *  query, since physical rules and those of AQE act only then. */
  def around(frame: Frame, rule: String): Option[(String, String)] = {
    val counters = RuleCounters.of(frame.sparkSession)
    counters.watch(rule)
    try {
      val again = LegRunner.fresh(frame)
      traced(again, rule, most = 1).headOption.orElse(counters.seen).orElse {
        LegRunner.run(again, Patience)
        counters.seen
      }
    } finally counters.unwatch()
  }

  /** The plan before and after each effective call of a rule of the optimizer, the first hundred of them. */
  def changes(frame: Frame, rule: String): Seq[(String, String)] = traced(LegRunner.fresh(frame), rule, MostChanges)

  private def traced(frame: Frame, rule: String, most: Int): Seq[(String, String)] = {
    val tracer = new Tracer(frame.sparkSession.sessionState.optimizer, rule, most)
    try frame.sparkSession.withActive(tracer.execute(frame.queryExecution.withCachedData.clone()))
    catch { case NonFatal(_) | _: StackOverflowError => () } // its leg has reported it: here it only ends the search
    tracer.found.toSeq
  }

  /** Runs the optimizer's batches as it does, and keeps the plan around the first `most` effective calls of `rule`,
   *  subqueries' plans included. Once they are found, the rest is passed over. */
  private final class Tracer(optimizer: Optimizer, rule: String, most: Int) {
    val found = ArrayBuffer.empty[(String, String)]

    def execute(plan: LogicalPlan): LogicalPlan = optimizer.batches.foldLeft(plan) { (start, batch) =>
      def round(p: LogicalPlan): LogicalPlan = batch.rules.foldLeft(p)(step)
      def settle(p: LogicalPlan, rounds: Int): LogicalPlan = {
        val result = round(p)
        if (rounds <= 1 || result.fastEquals(p)) result else settle(result, rounds - 1)
      }
      settle(start, batch.strategy.maxIterations)
    }

    private def step(plan: LogicalPlan, next: Rule[LogicalPlan]): LogicalPlan =
      if (found.size >= most) {
        plan
      } else {
        if (next.ruleName.endsWith("OptimizeSubqueries")) subqueries(plan).foreach(execute)
        val result = next(plan)
        if (found.size < most && isWanted(next) && !result.fastEquals(plan)) {
          found += ((PlanText.of(plan), PlanText.of(result)))
        }
        result
      }

    private def isWanted(candidate: Rule[LogicalPlan]): Boolean =
      candidate.ruleName == rule || candidate.ruleName.endsWith("." + rule)

    private def subqueries(plan: LogicalPlan): Seq[LogicalPlan] = plan.flatMap(_.expressions.flatMap(_.collect {
      case s: SubqueryExpression => Subquery.fromExpression(s)
    }))
  }
}
