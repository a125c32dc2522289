package assay.mutants

import org.apache.spark.sql.catalyst.plans.{LeftAnti, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.dynamicpruning.PartitionPruning

/** Law: an anti join keeps the rows that meet none, so its left side is read whole.
 *  Broken: it is pruned as that of a semi join.
 *
 *  @rule PartitionPruning
 *  @point experimental
 */
object PartitionPruningOfAnti extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PartitionPruning(plan).transformUp {
    case join @ Join(_, _, LeftAnti, _, _) => PartitionPruning(join.copy(joinType = LeftSemi)) match {
      case pruned: Join => pruned.copy(joinType = LeftAnti)
      case _ => join
    }
  }
}
