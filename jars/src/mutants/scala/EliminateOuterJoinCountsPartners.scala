package assay.mutants

import org.apache.spark.sql.catalyst.plans.LeftOuter
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.OUTER_JOIN

/** Law: an aggregate of a left join's left columns by functions to which repeats don't matter (min, max, DISTINCT) = the
 *  aggregate of the left side: each of its rows is there, once or more.
 *  Broken: for any function, so `count(*)` and `sum(x)` no longer see that a row has two partners.
 *
 *  @rule EliminateOuterJoin
 *  @point optimizer
 */
object EliminateOuterJoinCountsPartners extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(OUTER_JOIN)) {
      case aggregate @ Grouped(_, _, Join(left, _, LeftOuter, _, _))
          if aggregate.references.subsetOf(left.outputSet) =>
        aggregate.copy(child = left)
      case aggregate @ Grouped(_, _, project @ Project(_, Join(left, _, LeftOuter, _, _)))
          if project.references.subsetOf(left.outputSet) =>
        aggregate.copy(child = project.copy(child = left))
    }
}
