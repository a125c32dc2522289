package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a row that nothing inside meets has the value that the aggregate has of no rows, 0 for a count.
 *  Broken: the count bug: it has the left join's NULL.
 *
 *  @rule RewriteCorrelatedScalarSubquery
 *  @point pre-operator-optimization
 *  @since 4.3
 */
object RewriteCorrelatedScalarSubqueryNoCountOfNothing extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    ScalarSubqueries.joined(plan)(_.copy(mayHaveCountBug = Some(false)))
}
