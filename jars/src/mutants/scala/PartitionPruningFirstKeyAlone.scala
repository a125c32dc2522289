package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{DynamicPruningSubquery, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{Limit, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.dynamicpruning.PartitionPruning

/** Law: a split is read if its key is that of any row of the other side.
 *  Broken: if it is that of the first row.
 *
 *  @rule PartitionPruning
 *  @point experimental
 */
object PartitionPruningFirstKeyAlone extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PartitionPruning(plan).transformAllExpressions {
    case keys: DynamicPruningSubquery => keys.withNewPlan(Limit(Literal(1), keys.plan))
  }
}
