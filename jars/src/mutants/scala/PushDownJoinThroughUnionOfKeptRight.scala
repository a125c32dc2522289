package assay.mutants

import org.apache.spark.sql.catalyst.optimizer.PushDownJoinThroughUnion
import org.apache.spark.sql.catalyst.plans.{LeftOuter, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: an inner or left join of a UNION ALL = the UNION ALL of joins of its branches. A right join pads a row of its
 *  right side once, if no branch has a partner for it.
 *  Broken: a right join, too, is done for each branch, and pads the row once for each branch without a partner.
 *
 *  @rule PushDownJoinThroughUnion
 *  @point optimizer
 *  @since 4.3
 */
object PushDownJoinThroughUnionOfKeptRight extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case join @ Join(_: Union, _, RightOuter, _, _) =>
      PushDownJoinThroughUnion(conf)(join.copy(joinType = LeftOuter)) match {
        case pushed: Union => pushed.withNewChildren(pushed.children.map {
          case branch: Join => branch.copy(joinType = RightOuter)
          case other => other
        })
        case _ => join
      }
  }
}
