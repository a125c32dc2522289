package assay.mutants

import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}
import org.apache.spark.sql.execution.window.WindowExec

/** Law: a window sees all rows with the same keys, so these are shuffled into one partition before.
 *  Broken: it sees those of one partition of its input.
 *
 *  @rule EnsureRequirements
 *  @shape PushPredicateThroughNonJoin
 *  @point columnar
 */
object EnsureRequirementsWindowInPartition extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = WindowByPartition
}

private[mutants] object WindowByPartition extends Rule[SparkPlan] {
  override def apply(plan: SparkPlan): SparkPlan = plan.transformUp { case window: WindowExec => Unshuffled(window) }
}
