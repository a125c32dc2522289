package assay.mutants

import org.apache.spark.sql.catalyst.plans.{Inner, LeftOuter, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a left or right join keeps its rows without partners, however few partitions they are in.
 *  Broken: it becomes an inner join.
 *
 *  @rule DemoteBroadcastHashJoin
 *  @point runtime-optimizer
 *  @since 4.3
 */
object DemoteBroadcastHashJoinDropsKeptRows extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = DemotedJoins.of(plan) {
    case join @ Join(_, _, LeftOuter | RightOuter, _, _) => join.copy(joinType = Inner)
  }
}
