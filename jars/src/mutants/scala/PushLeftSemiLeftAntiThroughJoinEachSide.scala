package assay.mutants

import org.apache.spark.sql.catalyst.plans.{Inner, LeftSemiOrAnti}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LEFT_SEMI_OR_ANTI_JOIN

/** Law: a row on the right has to meet all conditions at once, those on either side of the join.
 *  Broken: each side is joined by the conditions that are on it.
 *
 *  @rule PushLeftSemiLeftAntiThroughJoin
 *  @point optimizer
 */
object PushLeftSemiLeftAntiThroughJoinEachSide extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LEFT_SEMI_OR_ANTI_JOIN)) {
      case upper @ Join(lower @ Join(left, right, Inner, _, _), _, LeftSemiOrAnti(_), _, _)
          if SidesOfJoin.conditions(upper).size > 1 =>
        val (ours, theirs) = SidesOfJoin.conditions(upper).partition { condition =>
          condition.references.subsetOf(left.outputSet ++ upper.right.outputSet)
        }
        if (SidesOfJoin.about(left.outputSet, upper, ours) && SidesOfJoin.about(right.outputSet, upper, theirs)) {
          val joined = SidesOfJoin.onRight(SidesOfJoin.by(theirs, upper), lower)
          SidesOfJoin.onLeft(SidesOfJoin.by(ours, upper), joined)
        } else {
          upper
        }
    }
}
