package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.PROJECT

/** Law: of two projections the upper one's columns are replaced by what the lower one computes them from.
 *  Broken: by the column of their name below both, if all have one: over `SELECT b AS a, a AS b` each is the other.
 *
 *  @rule CollapseProject
 *  @point optimizer
 */
object CollapseProjectByName extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(PROJECT)) {
      case upper @ Project(items, lower: Project)
          if items.flatMap(_.references).forall(named(_, lower.child).isDefined) =>
        val replaced = items.map {
          case column: Attribute => Alias(named(column, lower.child).get, column.name)(column.exprId)
          case item => item.transform { case column: Attribute => named(column, lower.child).get }
        }
        upper.copy(replaced.map(_.asInstanceOf[NamedExpression]), lower.child)
    }

  private def named(column: Attribute, plan: LogicalPlan): Option[Attribute] =
    plan.output.find(other =>
      other.name == column.name && other.dataType == column.dataType && (column.nullable || !other.nullable))
}
