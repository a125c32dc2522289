package assay.mutants

import org.apache.spark.sql.catalyst.plans.{LeftSemiOrAnti, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LEFT_SEMI_OR_ANTI_JOIN

/** Law: without a condition the join goes to the side whose rows are kept, of a right join the right one.
 *  Broken: it always goes to the left, and the rows that it would drop are padded.
 *
 *  @rule PushLeftSemiLeftAntiThroughJoin
 *  @point optimizer
 */
object PushLeftSemiLeftAntiThroughJoinAlwaysLeft extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LEFT_SEMI_OR_ANTI_JOIN)) {
      case upper @ Join(lower @ Join(_, _, RightOuter, _, _), _, LeftSemiOrAnti(_), None, _) =>
        SidesOfJoin.onLeft(upper, lower)
    }
}
