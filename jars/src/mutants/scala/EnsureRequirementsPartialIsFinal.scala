package assay.mutants

import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec

/** Law: the groups of each partition are brought together before they are final.
 *  Broken: the groups of one partition are taken for final ones.
 *
 *  @rule EnsureRequirements
 *  @shape ReplaceDistinctWithAggregate
 *  @point columnar
 */
object EnsureRequirementsPartialIsFinal extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = FinalByPartition
}

private[mutants] object FinalByPartition extends Rule[SparkPlan] {
  override def apply(plan: SparkPlan): SparkPlan = plan.transformUp {
    case aggregate: BaseAggregateExec if aggregate.requiredChildDistributionExpressions.isDefined => Unshuffled(aggregate)
  }
}
