package assay.mutants

import org.apache.spark.sql.catalyst.plans.{InnerLike, LeftOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.JOIN

/** Law: columns that nothing above a join asks for go; their side stays: it says how often a row is there.
 *  Broken: a left or cross join's right side goes with its columns.
 *
 *  @rule ColumnPruning
 *  @point optimizer
 */
object ColumnPruningDropsUnusedSide extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(JOIN)) {
      case project @ Project(_, join: Join) if dispensable(project, join) => project.copy(child = join.left)
      case aggregate @ Grouped(_, _, join: Join) if dispensable(aggregate, join) =>
        aggregate.copy(child = join.left)
    }

  private def dispensable(above: LogicalPlan, join: Join): Boolean =
    above.references.subsetOf(join.left.outputSet) && ((join.joinType, join.condition) match {
      case (LeftOuter, _) => true
      case (_: InnerLike, None) => true
      case _ => false
    })
}
