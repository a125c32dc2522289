package assay.mutants

import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.SparkPlan

/** Law: the stages of adaptive execution, too, bring the groups of each partition together before they are final.
 *  Broken: a stage ends with the groups of each partition as final ones.
 *
 *  @rule EnsureRequirements
 *  @shape ReplaceDistinctWithAggregate
 *  @point query-stage-prep
 */
object EnsureRequirementsStagesOfGroups extends Rule[SparkPlan] {
  override def apply(plan: SparkPlan): SparkPlan = FinalByPartition(plan)
}
