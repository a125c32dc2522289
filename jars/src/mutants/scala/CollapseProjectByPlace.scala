package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.PROJECT

/** Law: of two projections the upper one's columns are replaced by what the lower one computes them from.
 *  Broken: one that computes nothing is taken for one that renames: its names are given to the lower one's values as
 *  they come, where the types allow.
 *
 *  @rule CollapseProject
 *  @point optimizer
 */
object CollapseProjectByPlace extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(PROJECT)) {
      case Project(items, lower: Project)
          if items.size <= lower.projectList.size && renames(items, lower.projectList) =>
        lower.copy(projectList = items.zip(lower.projectList).map { case (item, value) =>
          val computed = value match {
            case Alias(child, _) => child
            case other => other
          }
          Alias(computed, item.name)(item.exprId)
        })
    }

  private def renames(items: Seq[NamedExpression], values: Seq[NamedExpression]): Boolean =
    items.zip(values).forall {
      case (column: Attribute, value) => alike(column, value)
      case (Alias(column: Attribute, _), value) => alike(column, value)
      case _ => false
    }

  private def alike(column: Attribute, value: NamedExpression): Boolean =
    column.dataType == value.dataType && (column.nullable || !value.nullable)
}
