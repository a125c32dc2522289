package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, NamedExpression}
import org.apache.spark.sql.catalyst.expressions.variant.VariantGet
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.PullOutVariantExtractions

/** Paths of VARIANTs that PullOutVariantExtractions pulls out of an operator, into columns with names of its own.
 *
 *  @since 4.3
 */
private[mutants] object PulledOut {

  /** `plan` after the rule, with `rewrite` applied to its operators if the rule changes anything. */
  def apply(plan: LogicalPlan)(rewrite: PartialFunction[LogicalPlan, LogicalPlan]): LogicalPlan = {
    val pulled = PullOutVariantExtractions(plan)
    if (pulled.fastEquals(plan)) plan else pulled.transformUp(rewrite)
  }

  /** A column that the rule made, and the path that it is. */
  def unapply(column: NamedExpression): Option[(Alias, VariantGet)] = column match {
    case alias @ Alias(path: VariantGet, _) if made(alias.toAttribute) => Some((alias, path))
    case _ => None
  }

  /** Whether the rule made `column`. */
  def made(column: Attribute): Boolean = column.name.startsWith("_ve")
}
