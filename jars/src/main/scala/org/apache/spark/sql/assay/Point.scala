package org.apache.spark.sql.assay

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan, SparkStrategy}

/** The type that a class must have at a point; rules being erased, a rule is known by the `apply` that it has. */
private[assay] sealed abstract class RuleKind(val description: String, val of: Class[_] => Boolean)

private[assay] object RuleKind {
  private def isRuleOf(plan: Class[_])(c: Class[_]): Boolean =
    classOf[Rule[_]].isAssignableFrom(c) &&
      c.getMethods.exists(m => m.getName == "apply" && m.getParameterTypes.sameElements(Array(plan)))

  case object Logical extends RuleKind("Rule[LogicalPlan]", isRuleOf(classOf[LogicalPlan]))
  case object Physical extends RuleKind("Rule[SparkPlan]", isRuleOf(classOf[SparkPlan]))
  case object Check extends RuleKind("LogicalPlan => Unit", classOf[Function1[_, _]].isAssignableFrom(_))
  case object Strategy extends RuleKind("SparkStrategy", classOf[SparkStrategy].isAssignableFrom(_))
  case object Columnar extends RuleKind("ColumnarRule", classOf[ColumnarRule].isAssignableFrom(_))
  case object Extension extends RuleKind("SparkSessionExtensions => Unit", classOf[Function1[_, _]].isAssignableFrom(_))
}

/** A place where Spark takes rules: what it takes, and how a slot gets in. */
private[assay] final case class Point(name: String, kind: RuleKind, inject: (SparkSessionExtensions, Slot) => Unit)

private[assay] object Point {
  import RuleKind._

  val Resolution = Point("resolution", Logical, (e, s) => e.injectResolutionRule(s.logical))
  val PostHocResolution = Point("post-hoc-resolution", Logical, (e, s) => e.injectPostHocResolutionRule(s.logical))
  val Check = Point("check", RuleKind.Check, (e, s) => e.injectCheckRule(s.check))
  val PlanNormalization = Point("plan-normalization", Logical, (e, s) => e.injectPlanNormalizationRule(s.normalization))
  val Optimizer = Point("optimizer", Logical, (e, s) => e.injectOptimizerRule(s.logical))
  val PreCbo = Point("pre-cbo", Logical, (e, s) => e.injectPreCBORule(s.logical))
  val PlannerStrategy = Point("planner-strategy", Strategy, (e, s) => e.injectPlannerStrategy(s.strategy))
  val Columnar = Point("columnar", RuleKind.Columnar, (e, s) => e.injectColumnar(s.columnar))
  val QueryStagePrep = Point("query-stage-prep", Physical, (e, s) => e.injectQueryStagePrepRule(s.physical))
  val QueryStageOptimizer =
    Point("query-stage-optimizer", Physical, (e, s) => e.injectQueryStageOptimizerRule(s.physical))
  val RuntimeOptimizer = Point("runtime-optimizer", Logical, (e, s) => e.injectRuntimeOptimizerRule(s.logical))
  /** Spark's extensions don't have it: [[LegRunner.ready]] adds the rules to each session. */
  val Experimental = Point("experimental", Logical, (_, _) => ())

  val all: Seq[Point] = Seq(
    Resolution, PostHocResolution, Check, PlanNormalization, Optimizer, PreCbo, PlannerStrategy, Columnar, QueryStagePrep,
    QueryStageOptimizer, RuntimeOptimizer, Experimental) ++ LaterPoints.all

  def named(name: String): Option[Point] = all.find(_.name == name)
}
