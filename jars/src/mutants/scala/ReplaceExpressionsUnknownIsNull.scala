package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{EqualTo, IsNull, NullIf, Or}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `nullif(x, y) = CASE WHEN x = y THEN NULL ELSE x END`: x where nobody knows whether they are equal.
 *  Broken: `CASE WHEN x = y OR y IS NULL THEN NULL ELSE x END`, NULL where y is.
 *
 *  @rule ReplaceExpressions
 *  @point plan-normalization
 */
object ReplaceExpressionsUnknownIsNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Replaced.expressions(plan) { case nullIf: NullIf =>
    nullIf.replacement.transformUp { case equal: EqualTo => Or(equal, IsNull(equal.right)) }
  }
}
