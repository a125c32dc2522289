package assay.mutants

import org.apache.spark.sql.catalyst.plans.{Inner, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LocalRelation, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: an input with empty partitions has rows in the others, which meet those of the other input.
 *  Broken: such an input is taken for empty, and so is an inner or semi join.
 *
 *  @rule DemoteBroadcastHashJoin
 *  @point runtime-optimizer
 *  @since 4.3
 */
object DemoteBroadcastHashJoinEmptyInput extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = DemotedJoins.of(plan) {
    case join @ Join(_, _, Inner | LeftSemi, _, _) => LocalRelation(join.output)
  }
}
