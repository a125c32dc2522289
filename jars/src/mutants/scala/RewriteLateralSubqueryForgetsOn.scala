package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a lateral join's ON is evaluated beside what was pulled up out of the subquery.
 *  Broken: the join has only what was pulled up.
 *
 *  @rule RewriteLateralSubquery
 *  @point pre-operator-optimization
 */
object RewriteLateralSubqueryForgetsOn extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    LateralJoins.rewritten(plan)(_.copy(condition = None))(identity)
}
