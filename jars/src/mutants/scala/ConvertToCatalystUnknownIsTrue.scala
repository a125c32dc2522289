package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Coalesce
import org.apache.spark.sql.catalyst.expressions.Literal.{FalseLiteral, TrueLiteral}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: what is NULL is false where a branch asks for it.
 *  Broken: it is true.
 *
 *  @rule ConvertToCatalyst
 *  @point plan-normalization
 *  @since 4.3
 */
object ConvertToCatalystUnknownIsTrue extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Translations.changed(plan) (_.transform {
    case Coalesce(Seq(asked, FalseLiteral)) => Coalesce(Seq(asked, TrueLiteral))
  })
}
