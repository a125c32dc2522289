package org.apache.spark.sql.assay

import org.apache.spark.sql.catalyst.plans.{FullOuter, InnerLike, JoinType, LeftOuter, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical.{HintInfo, Join, JoinHint, JoinStrategyHint, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Gives both sides of every join without a hint the one that `spark.assay.join` names, or with `spark.assay.join.left`
 *  the left side alone, if there can be a hash table of it; joins that rules made, too: it runs after all of Spark's
 *  batches. A kind of join that can't be had is passed over by the planner, as any hint is. */
private[assay] object JoinHints extends Rule[LogicalPlan] {
  private val Conf = "spark.assay.join"
  private val Left = "spark.assay.join.left"

  override def apply(plan: LogicalPlan): LogicalPlan =
    JoinStrategyHint.strategies.find(_.displayName.equalsIgnoreCase(conf.getConfString(Conf, ""))) match {
      case Some(wanted) =>
        val side = Some(HintInfo(strategy = Some(wanted)))
        val isLeft = conf.getConfString(Left, "false").toBoolean
        plan.transform {
          case join: Join if join.hint == JoinHint.NONE && (!isLeft || canBuildLeft(join.joinType)) =>
            join.copy(hint = JoinHint(side, if (isLeft) None else side))
        }
      case None => plan
    }

  /** The planner takes no hint on the left side of any other kind, and raises for that of an existence join. */
  private def canBuildLeft(kind: JoinType): Boolean = kind match {
    case _: InnerLike | LeftOuter | RightOuter | FullOuter => true
    case _ => false
  }
}
