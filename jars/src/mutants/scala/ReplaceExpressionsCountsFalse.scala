package assay.mutants

import org.apache.spark.sql.catalyst.expressions.aggregate.{Count, CountIf}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `count_if(c) = count(nullif(c, false))`: the rows of which c is true.
 *  Broken: `count(c)`, which counts those of which it is false, too.
 *
 *  @rule ReplaceExpressions
 *  @point plan-normalization
 */
object ReplaceExpressionsCountsFalse extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Replaced.expressions(plan) { case CountIf(condition) =>
    Count(condition)
  }
}
