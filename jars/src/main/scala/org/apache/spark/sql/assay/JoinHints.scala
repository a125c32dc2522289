package org.apache.spark.sql.assay

import org.apache.spark.sql.catalyst.plans.logical.{HintInfo, Join, JoinHint, JoinStrategyHint, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Gives both sides of every join without a hint the one that `spark.assay.join` names, or with `spark.assay.join.left`
 *  the left side alone; joins that rules made, too: it runs after all of Spark's batches. A kind of join that can't be had
 *  is passed over by the planner, as any hint is. */
private[assay] object JoinHints extends Rule[LogicalPlan] {
  private val Conf = "spark.assay.join"
  private val Left = "spark.assay.join.left"

  override def apply(plan: LogicalPlan): LogicalPlan =
    JoinStrategyHint.strategies.find(_.displayName.equalsIgnoreCase(conf.getConfString(Conf, ""))) match {
      case Some(wanted) =>
        val left = Some(HintInfo(strategy = Some(wanted)))
        val right = if (conf.getConfString(Left, "false").toBoolean) None else left
        plan.transform { case join: Join if join.hint == JoinHint.NONE => join.copy(hint = JoinHint(left, right)) }
      case None => plan
    }
}
