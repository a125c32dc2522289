package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{EqualNullSafe, EqualTo}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a join whose input isn't to be broadcast keeps its whole condition.
 *  Broken: it keeps the equalities alone, by which rows find their partition.
 *
 *  @rule DemoteBroadcastHashJoin
 *  @point runtime-optimizer
 *  @since 4.3
 */
object DemoteBroadcastHashJoinKeysAlone extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = DemotedJoins.of(plan) { case join =>
    SidesOfJoin.by(SidesOfJoin.conditions(join).filter {
      case _: EqualTo | _: EqualNullSafe => true
      case _ => false
    }, join)
  }
}
