package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the subquery is evaluated once for equal rows, and joined to each of them.
 *  Broken: the equal rows are one row in the join, too.
 *
 *  @rule RewriteLateralSubquery
 *  @point pre-operator-optimization
 */
object RewriteLateralSubqueryEachRowOnce extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    LateralJoins.rewritten(plan)(identity)(join => join.copy(left = Aggregate(join.left.output, join.left.output, join.left)))
}
