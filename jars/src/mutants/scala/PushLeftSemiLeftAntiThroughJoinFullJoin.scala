package assay.mutants

import org.apache.spark.sql.catalyst.plans.{FullOuter, LeftSemiOrAnti}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LEFT_SEMI_OR_ANTI_JOIN

/** Law: a full join keeps a semi or anti join above: both of its sides are padded.
 *  Broken: it passes to the left side, as through a left join.
 *
 *  @rule PushLeftSemiLeftAntiThroughJoin
 *  @point optimizer
 */
object PushLeftSemiLeftAntiThroughJoinFullJoin extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LEFT_SEMI_OR_ANTI_JOIN)) {
      case upper @ Join(lower @ Join(left, _, FullOuter, _, _), _, LeftSemiOrAnti(_), _, _)
          if SidesOfJoin.about(left.outputSet, upper, SidesOfJoin.conditions(upper)) =>
        SidesOfJoin.onLeft(upper, lower)
    }
}
