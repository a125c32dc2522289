package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{EqualNullSafe, Literal}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.BooleanType

/** Law: a comparison with NULL is NULL, but for `<=>`: `x <=> NULL` is `x IS NULL`.
 *  Broken: `<=>` is taken for one of the others.
 *
 *  @rule NullPropagation
 *  @point optimizer
 */
object NullPropagationNullSafe extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case EqualNullSafe(Literal(null, _), _) => Literal(null, BooleanType)
    case EqualNullSafe(_, Literal(null, _)) => Literal(null, BooleanType)
  }
}
