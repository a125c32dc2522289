package assay.mutants

import org.apache.spark.sql.catalyst.plans.{Inner, LeftOuter, LeftSemiOrAnti}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LEFT_SEMI_OR_ANTI_JOIN

/** Law: all conditions go to the side that the join goes to.
 *  Broken: those on the other side are forgotten.
 *
 *  @rule PushLeftSemiLeftAntiThroughJoin
 *  @point optimizer
 */
object PushLeftSemiLeftAntiThroughJoinFirstCondition extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LEFT_SEMI_OR_ANTI_JOIN)) {
      case upper @ Join(lower @ Join(left, _, Inner | LeftOuter, _, _), _, LeftSemiOrAnti(_), _, _)
          if SidesOfJoin.conditions(upper).size > 1 =>
        val ours = SidesOfJoin.conditions(upper).filter { condition =>
          condition.references.subsetOf(left.outputSet ++ upper.right.outputSet)
        }
        if (SidesOfJoin.about(left.outputSet, upper, ours)) {
          SidesOfJoin.onLeft(SidesOfJoin.by(ours, upper), lower)
        } else {
          upper
        }
    }
}
