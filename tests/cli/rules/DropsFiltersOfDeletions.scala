package rules

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Wrong of tables with a column `deleted`, which is never drawn: every row passes. Elsewhere it adds a projection that
 *  other rules take out again, so that it fires, and the plans that run are the same.
 */
object DropsFiltersOfDeletions extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Filter(_, child) if child.output.exists(_.name == "deleted") => child
    case Filter(condition, child) if !child.isInstanceOf[Project] => Filter(condition, Project(child.output, child))
  }
}
