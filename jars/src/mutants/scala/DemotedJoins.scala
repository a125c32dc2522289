package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.execution.adaptive.DemoteBroadcastHashJoin

/** Joins of which Spark's rule keeps an input from being broadcast.
 *
 *  @since 4.3
 */
private[mutants] object DemotedJoins {

  /** `plan` with what `spoiled` makes of each join that Spark's rule gives a hint. */
  def of(plan: LogicalPlan)(spoiled: PartialFunction[Join, LogicalPlan]): LogicalPlan = plan.transformUp {
    case join: Join => DemoteBroadcastHashJoin(join) match {
      case demoted: Join if demoted.hint != join.hint => spoiled.applyOrElse(demoted, identity[Join])
      case other => other
    }
  }
}
