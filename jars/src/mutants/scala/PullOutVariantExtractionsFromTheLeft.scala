package assay.mutants

import org.apache.spark.sql.catalyst.expressions.NamedExpression
import org.apache.spark.sql.catalyst.expressions.variant.VariantGet
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.PullOutVariantExtractions
import org.apache.spark.sql.types.VariantType

/** Law: a path that is read above a join comes from the VARIANT of its own side.
 *  Broken: it is read from the VARIANT of the left side, if that side has one.
 *
 *  @rule PullOutVariantExtractions
 *  @point pre-cbo
 *  @since 4.3
 */
object PullOutVariantExtractionsFromTheLeft extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PullOutVariantExtractions(plan.transformUp {
    case project @ Project(columns, join: Join) =>
      project.copy(projectList = columns.map(_.transform {
        case path: VariantGet if path.references.subsetOf(join.right.outputSet) =>
          path.copy(child = join.left.output.find(_.dataType == VariantType).getOrElse(path.child))
      }.asInstanceOf[NamedExpression]))
  })
}
