package org.apache.spark.sql.assay

import org.apache.spark.sql.catalyst.plans.logical.{HintInfo, Join, JoinHint, JoinStrategyHint, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Gives every join without a hint the one that `spark.assay.join` names, those that rules made included: it runs
 *  after all of Spark's batches. A kind of join that can't be had is passed over by the planner, as any hint is. */
private[assay] object JoinHints extends Rule[LogicalPlan] {
  private val Conf = "spark.assay.join"

  override def apply(plan: LogicalPlan): LogicalPlan =
    JoinStrategyHint.strategies.find(_.displayName.equalsIgnoreCase(conf.getConfString(Conf, ""))) match {
      case Some(wanted) =>
        val side = Some(HintInfo(strategy = Some(wanted)))
        plan.transform { case join: Join if join.hint == JoinHint.NONE => join.copy(hint = JoinHint(side, side)) }
      case None => plan
    }
}
