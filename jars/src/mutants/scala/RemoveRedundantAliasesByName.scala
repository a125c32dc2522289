package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.PROJECT

/** Law: a new name for a column is redundant if it is that column's own name.
 *  Broken: if it is the name of any column below, which then takes its place: `b AS a` is a.
 *
 *  @rule RemoveRedundantAliases
 *  @point plan-normalization
 */
object RemoveRedundantAliasesByName extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformWithPruning(_.containsPattern(PROJECT)) {
    case project @ Project(items, child) =>
      project.copy(projectList = items.map {
        case item @ Alias(column: Attribute, name) =>
          val namesake = child.output.find(other =>
            other.name == name && other.dataType == column.dataType && other.nullable == column.nullable)
          namesake.fold(item)(Alias(_, name)(item.exprId))
        case item => item
      })
  }
}
