package assay.mutants

import org.apache.spark.sql.catalyst.plans.{LeftOuter, LeftSemiOrAnti}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LEFT_SEMI_OR_ANTI_JOIN

/** Law: a semi or anti join passes a left join to its left side, whose rows are all kept.
 *  Broken: it passes to the right side, and a row that is dropped there comes back as padding.
 *
 *  @rule PushLeftSemiLeftAntiThroughJoin
 *  @point optimizer
 */
object PushLeftSemiLeftAntiThroughJoinPaddedSide extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LEFT_SEMI_OR_ANTI_JOIN)) {
      case upper @ Join(lower @ Join(_, right, LeftOuter, _, _), _, LeftSemiOrAnti(_), _, _)
          if SidesOfJoin.about(right.outputSet, upper, SidesOfJoin.conditions(upper)) =>
        SidesOfJoin.onRight(upper, lower)
    }
}
