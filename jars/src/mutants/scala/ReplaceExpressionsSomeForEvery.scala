package assay.mutants

import org.apache.spark.sql.catalyst.expressions.aggregate.{BoolAnd, Max}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `every(c) = min(c)`, false being less than true, and `some(c) = max(c)`.
 *  Broken: `every(c) = max(c)`.
 *
 *  @rule ReplaceExpressions
 *  @point plan-normalization
 */
object ReplaceExpressionsSomeForEvery extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Replaced.expressions(plan) { case BoolAnd(condition) =>
    Max(condition)
  }
}
