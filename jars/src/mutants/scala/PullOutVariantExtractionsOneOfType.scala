package assay.mutants

import org.apache.spark.sql.catalyst.expressions.NamedExpression
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: each path that is pulled out of an operator has a column of its own below it.
 *  Broken: paths that are read from one VARIANT as one type share the column of the first of them.
 *
 *  @rule PullOutVariantExtractions
 *  @point pre-cbo
 *  @since 4.3
 */
object PullOutVariantExtractionsOneOfType extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    PulledOut(plan) { case Project(columns, child) => Project(columns.map(first(columns)), child) }

  private def first(columns: Seq[NamedExpression])(column: NamedExpression): NamedExpression = column match {
    case PulledOut(alias, path) =>
      val same = columns.collectFirst {
        case PulledOut(_, other) if other.child == path.child && other.targetType == path.targetType => other
      }
      alias.withNewChildren(same.toSeq).asInstanceOf[NamedExpression]
    case other => other
  }
}
