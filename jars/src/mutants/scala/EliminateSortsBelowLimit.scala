package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, GlobalLimit, Join, LocalLimit, LogicalPlan}
import org.apache.spark.sql.catalyst.plans.logical.{Project, Sort}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.SORT

/** Law: a sort goes below an aggregate or a join, since they don't ask for an order; but not below a limit, which does.
 *  Broken: it goes below a limit, too, where an aggregate or a join is further up.
 *
 *  @rule EliminateSorts
 *  @point optimizer
 */
object EliminateSortsBelowLimit extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(SORT)) {
      case join: Join => join.copy(left = unsorted(join.left), right = unsorted(join.right))
      case aggregate: Aggregate => aggregate.copy(child = unsorted(aggregate.child))
    }

  private def unsorted(plan: LogicalPlan): LogicalPlan = plan match {
    case sort: Sort => unsorted(sort.child)
    case _: Project | _: Filter | _: GlobalLimit | _: LocalLimit => plan.withNewChildren(plan.children.map(unsorted))
    case _ => plan
  }
}
