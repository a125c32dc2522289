package assay.mutants

import org.apache.spark.sql.catalyst.plans.{LeftAnti, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.JOIN

/** Law: with nothing on its right side a semi join is empty, and an anti join its left side.
 *  Broken: either is empty.
 *
 *  @rule PropagateEmptyRelation
 *  @point optimizer
 */
object PropagateEmptyRelationAntiJoin extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(JOIN)) {
      case join @ Join(_, right, LeftSemi | LeftAnti, _, _) if Emptiness.holds(right) => Emptiness.of(join)
    }
}
