package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.PROJECT

/** Law: a column under its own name is that column if nothing is computed from it.
 *  Broken: if it is the only column that is computed from, and the type stays: `a + 1 AS a` is a.
 *
 *  @rule RemoveRedundantAliases
 *  @point plan-normalization
 */
object RemoveRedundantAliasesComputed extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformWithPruning(_.containsPattern(PROJECT)) {
    case project @ Project(items, _) =>
      project.copy(projectList = items.map {
        case item @ Alias(value, name) if Pushdown.isPlain(value) && !value.isInstanceOf[Attribute] =>
          value.references.toSeq match {
            case Seq(column) if isOf(column, item) => Alias(column, name)(item.exprId)
            case _ => item
          }
        case item => item
      })
  }

  private def isOf(column: Attribute, item: Alias): Boolean =
    column.name == item.name && column.dataType == item.dataType && (item.nullable || !column.nullable)
}
