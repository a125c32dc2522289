package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of `f(DISTINCT x) FILTER (WHERE c)` only the values count that a row with c has.
 *  Broken: each value counts, c is lost where the values are brought down to one each.
 *
 *  @rule RewriteDistinctAggregates
 *  @point pre-cbo
 */
object RewriteDistinctAggregatesDropsFilter extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = DistinctAggregates.rewritten(plan) {
    case function if function.isDistinct && function.filter.isDefined => function.copy(filter = None)
  }
}
