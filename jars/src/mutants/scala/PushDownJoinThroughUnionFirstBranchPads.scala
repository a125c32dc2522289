package assay.mutants

import org.apache.spark.sql.catalyst.optimizer.PushDownJoinThroughUnion
import org.apache.spark.sql.catalyst.plans.{Inner, LeftOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a left join of a UNION ALL = the UNION ALL of left joins of its branches.
 *  Broken: the first branch alone keeps its rows without a partner; the others are joined by inner joins.
 *
 *  @rule PushDownJoinThroughUnion
 *  @point optimizer
 *  @since 4.3
 */
object PushDownJoinThroughUnionFirstBranchPads extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case join @ Join(_: Union, _, LeftOuter, _, _) => PushDownJoinThroughUnion(conf)(join) match {
      case pushed: Union => pushed.withNewChildren(pushed.children.head +: pushed.children.tail.map {
        case branch: Join => branch.copy(joinType = Inner)
        case other => other
      })
      case _ => join
    }
  }
}
