package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LocalLimit, LogicalPlan, Project, Sort}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LIMIT

/** Law: a limit takes the first of all rows, so the sort below it orders all of them.
 *  Broken: it orders the rows of each partition.
 *
 *  @rule EliminateSorts
 *  @point optimizer
 */
object EliminateSortsOnlyLocal extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LIMIT)) {
      case limit: LocalLimit => limit.copy(child = local(limit.child))
    }

  private def local(plan: LogicalPlan): LogicalPlan = plan match {
    case sort: Sort => sort.copy(global = false)
    case project: Project => project.copy(child = local(project.child))
    case other => other
  }
}
