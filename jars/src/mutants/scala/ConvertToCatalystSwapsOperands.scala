package assay.mutants

import org.apache.spark.sql.catalyst.expressions.TranspiledUDFParameter
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a parameter is the operand of the same place.
 *  Broken: two operands of one type change places.
 *
 *  @rule ConvertToCatalyst
 *  @point plan-normalization
 *  @since 4.3
 */
object ConvertToCatalystSwapsOperands extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Translations.changed(plan) { translation =>
    Translations.parameters(translation) match {
      case Seq(one, two) if one.dataType == two.dataType => translation.transform {
        case parameter: TranspiledUDFParameter => if (parameter.index == one.index) two else one
      }
      case _ => translation
    }
  }
}
