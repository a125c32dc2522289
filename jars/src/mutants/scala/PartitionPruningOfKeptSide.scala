package assay.mutants

import org.apache.spark.sql.catalyst.plans.{Inner, LeftOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.dynamicpruning.PartitionPruning

/** Law: a left join keeps each row of its left side, which is read whole.
 *  Broken: splits without a key of the right side are left out.
 *
 *  @rule PartitionPruning
 *  @point experimental
 */
object PartitionPruningOfKeptSide extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PartitionPruning(plan).transformUp {
    case join @ Join(_, _, LeftOuter, _, _) => PartitionPruning(join.copy(joinType = Inner)) match {
      case pruned: Join => pruned.copy(joinType = LeftOuter)
      case _ => join
    }
  }
}
