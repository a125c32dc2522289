package assay.mutants

import org.apache.spark.sql.catalyst.plans.{FullOuter, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.dynamicpruning.PartitionPruning

/** Law: a full join keeps each row of its left side, which is read whole.
 *  Broken: it is pruned as the padded side of a right join.
 *
 *  @rule PartitionPruning
 *  @point experimental
 */
object PartitionPruningOfFullJoin extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PartitionPruning(plan).transformUp {
    case join @ Join(_, _, FullOuter, _, _) => PartitionPruning(join.copy(joinType = RightOuter)) match {
      case pruned: Join => pruned.copy(joinType = FullOuter)
      case _ => join
    }
  }
}
