package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, If, IsNull, Literal, Or}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the translation says what it makes of NULL.
 *  Broken: where an operand is NULL, the result is NULL.
 *
 *  @rule ConvertToCatalyst
 *  @point plan-normalization
 *  @since 4.3
 */
object ConvertToCatalystNullOfNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Translations.changed(plan) { translation =>
    Translations.parameters(translation).map(IsNull(_): Expression).reduceOption(Or(_, _))
      .fold(translation)(If(_, Literal(null, translation.dataType), translation))
  }
}
