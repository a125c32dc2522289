package assay.mutants

import org.apache.spark.sql.catalyst.optimizer.RewriteLateralSubquery
import org.apache.spark.sql.catalyst.plans.logical.{Join, LateralJoin, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.LATERAL_JOIN

/** RewriteLateralSubquery at work on lateral joins that are changed before or after: none is left for Spark's. */
private[mutants] object LateralJoins {

  /** `plan` with its lateral joins, as `changed` makes them, rewritten, and then as `made` makes them. */
  def rewritten(plan: LogicalPlan)(changed: LateralJoin => LateralJoin)(made: Join => LogicalPlan): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(LATERAL_JOIN)) { case lateral: LateralJoin =>
      RewriteLateralSubquery(changed(lateral)) match {
        case join: Join => made(join)
        case other => other
      }
    }
}
