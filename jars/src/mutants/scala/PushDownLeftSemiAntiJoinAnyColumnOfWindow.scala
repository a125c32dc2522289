package assay.mutants

import org.apache.spark.sql.catalyst.plans.LeftSemiOrAnti
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Window}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LEFT_SEMI_OR_ANTI_JOIN

/** Law: a semi or anti join passes a window by columns that it is partitioned by: it drops partitions as a whole.
 *  Broken: it passes by any column that the window doesn't make, and drops rows of partitions.
 *
 *  @rule PushDownLeftSemiAntiJoin
 *  @point optimizer
 */
object PushDownLeftSemiAntiJoinAnyColumnOfWindow extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LEFT_SEMI_OR_ANTI_JOIN)) {
      case join @ Join(window: Window, right, LeftSemiOrAnti(_), condition, _)
          if condition.forall(_.references.subsetOf(window.child.outputSet ++ right.outputSet)) =>
        window.copy(child = join.copy(left = window.child))
    }
}
