package assay.mutants

import org.apache.spark.sql.catalyst.plans.{LeftOuter, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.OUTER_JOIN

/** Law: the left columns of a left join = those of the left side, if no row has two partners: the right side's columns
 *  of the equality are a key. And the mirror image.
 *  Broken: nobody asks for a key, so a row with two partners is answered once.
 *
 *  @rule EliminateOuterJoin
 *  @point optimizer
 */
object EliminateOuterJoinManyPartners extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(OUTER_JOIN)) {
      case project @ Project(_, Join(left, _, LeftOuter, _, _)) if project.references.subsetOf(left.outputSet) =>
        project.copy(child = left)
      case project @ Project(_, Join(_, right, RightOuter, _, _)) if project.references.subsetOf(right.outputSet) =>
        project.copy(child = right)
    }
}
