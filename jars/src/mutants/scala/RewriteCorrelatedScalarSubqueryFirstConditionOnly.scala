package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the subquery, grouped by all that it is correlated by, is joined by all of that: each row has one partner.
 *  Broken: only the first condition counts, so a row outside gets the values of other groups, too, and is repeated.
 *
 *  @rule RewriteCorrelatedScalarSubquery
 *  @point pre-operator-optimization
 *  @since 4.3
 */
object RewriteCorrelatedScalarSubqueryFirstConditionOnly extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    ScalarSubqueries.joined(plan)(value => value.copy(joinCond = value.joinCond.take(1)))
}
