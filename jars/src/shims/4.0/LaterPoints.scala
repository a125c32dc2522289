package org.apache.spark.sql.assay

import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}

/** The points where this release takes rules, of those that not every release has. */
private[assay] object LaterPoints {
  val HintResolution: Point =
    Point("hint-resolution", RuleKind.Logical, (e, s) => e.injectHintResolutionRule(s.logical))
  val QueryPostPlannerStrategy: Point =
    Point("query-post-planner-strategy", RuleKind.Physical, (e, s) => e.injectQueryPostPlannerStrategyRule(s.physical))

  val all: Seq[Point] = Seq(HintResolution, QueryPostPlannerStrategy)
}

/** Each rule that an extension injects at these points goes through `wrap`. */
private[assay] abstract class LaterInjections(wrap: (Point, SparkSession => AnyRef) => Unit)
  extends SparkSessionExtensions {

  override def injectHintResolutionRule(b: RuleBuilder): Unit = wrap(LaterPoints.HintResolution, b)
  override def injectQueryPostPlannerStrategyRule(b: QueryPostPlannerStrategyBuilder): Unit =
    wrap(LaterPoints.QueryPostPlannerStrategy, b)
}
