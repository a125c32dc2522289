package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project, Sort}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.SORT

/** Law: of two sorts with nothing but projections and filters between them the upper one says what the order is.
 *  Broken: the lower one does, and the upper one goes.
 *
 *  @rule EliminateSorts
 *  @point optimizer
 */
object EliminateSortsKeepsTheLower extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(SORT)) {
      case sort: Sort if sorted(sort.child) => sort.child
    }

  private def sorted(plan: LogicalPlan): Boolean = plan match {
    case _: Sort => true
    case _: Project | _: Filter => plan.children.exists(sorted)
    case _ => false
  }
}
