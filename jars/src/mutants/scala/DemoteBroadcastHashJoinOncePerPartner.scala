package assay.mutants

import org.apache.spark.sql.catalyst.plans.{Inner, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a semi join has a row once, however many partners it has, also where its right input isn't to be broadcast.
 *  Broken: it becomes an inner join, and has the row once for each partner.
 *
 *  @rule DemoteBroadcastHashJoin
 *  @point runtime-optimizer
 *  @since 4.3
 */
object DemoteBroadcastHashJoinOncePerPartner extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = DemotedJoins.of(plan) {
    case join @ Join(left, _, LeftSemi, _, _) => Project(left.output, join.copy(joinType = Inner))
  }
}
