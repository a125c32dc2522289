package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, CaseWhen, IsNull}
import org.apache.spark.sql.catalyst.expressions.Literal.{FalseLiteral, TrueLiteral}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: NULL equals NULL.
 *  Broken: it equals nothing.
 *
 *  @rule ConvertToCatalyst
 *  @point plan-normalization
 *  @since 4.3
 */
object ConvertToCatalystNullEqualsNothing extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Translations.changed(plan) (_.transform {
    case CaseWhen((both @ And(_: IsNull, _: IsNull), TrueLiteral) +: others, otherwise) =>
      CaseWhen((both, FalseLiteral) +: others, otherwise)
  })
}
