package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a projection that renames nothing is redundant if its columns are those below in their places.
 *  Broken: if they are those below at all, and of the same types from place to place.
 *
 *  @rule RemoveRedundantAliases
 *  @point plan-normalization
 */
object RemoveRedundantAliasesAnyOrder extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUpWithNewOutput {
    case project @ Project(items, child) if turned(project) && items.forall(_.isInstanceOf[Attribute]) =>
      Output.as(project.output, child.output, child)
  }

  private def turned(project: Project): Boolean = {
    val (shown, below) = (project.output, project.child.output)
    AttributeSet(shown) == AttributeSet(below) && shown.map(_.dataType) == below.map(_.dataType) &&
    shown.map(_.exprId) != below.map(_.exprId)
  }
}
