package org.apache.spark.sql.assay

import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}

/** The extensions that a user's extension is given instead of the session's own: each rule that it injects
 *  goes through `wrap`; parsers and functions go to `target` as they are. */
private[assay] final class SwitchedExtensions(
    wrap: (Point, SparkSession => AnyRef) => Unit, target: SparkSessionExtensions) extends LaterInjections(wrap) {
  import Point._

  override def injectResolutionRule(b: RuleBuilder): Unit = wrap(Resolution, b)
  override def injectPostHocResolutionRule(b: RuleBuilder): Unit = wrap(PostHocResolution, b)
  override def injectCheckRule(b: CheckRuleBuilder): Unit = wrap(Check, b)
  override def injectPlanNormalizationRule(b: RuleBuilder): Unit = wrap(PlanNormalization, b)
  override def injectOptimizerRule(b: RuleBuilder): Unit = wrap(Optimizer, b)
  override def injectPreCBORule(b: RuleBuilder): Unit = wrap(PreCbo, b)
  override def injectPlannerStrategy(b: StrategyBuilder): Unit = wrap(PlannerStrategy, b)
  override def injectColumnar(b: ColumnarRuleBuilder): Unit = wrap(Columnar, b)
  override def injectQueryStagePrepRule(b: QueryStagePrepRuleBuilder): Unit = wrap(QueryStagePrep, b)
  override def injectQueryStageOptimizerRule(b: QueryStageOptimizerRuleBuilder): Unit = wrap(QueryStageOptimizer, b)
  override def injectRuntimeOptimizerRule(b: RuleBuilder): Unit = wrap(RuntimeOptimizer, b)

  override def injectParser(b: ParserBuilder): Unit = target.injectParser(b)
  override def injectFunction(f: FunctionDescription): Unit = target.injectFunction(f)
  override def injectTableFunction(f: TableFunctionDescription): Unit = target.injectTableFunction(f)
}
