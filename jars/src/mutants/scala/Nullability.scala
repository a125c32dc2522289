package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** The columns that are taken for never NULL. */
private[mutants] object Nullability {

  /** `operator`, whose expressions take those of `columns` that aren't nullable for that. */
  def known(operator: LogicalPlan, columns: Seq[Attribute]): LogicalPlan = {
    val never = columns.filterNot(_.nullable).map(_.exprId).toSet
    operator.transformExpressions {
      case column: Attribute if column.nullable && never(column.exprId) => column.withNullability(false)
    }
  }
}
