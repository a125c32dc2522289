package assay.mutants

import org.apache.spark.sql.catalyst.plans.{FullOuter, LeftOuter, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.JOIN

/** Law: an outer join with an empty side = the rows of the side that is kept, padded.
 *  Broken: it is empty.
 *
 *  @rule PropagateEmptyRelation
 *  @point optimizer
 */
object PropagateEmptyRelationKeptSide extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(JOIN)) {
      case join @ Join(left, right, LeftOuter | RightOuter | FullOuter, _, _)
          if Emptiness.holds(left) || Emptiness.holds(right) =>
        Emptiness.of(join)
    }
}
