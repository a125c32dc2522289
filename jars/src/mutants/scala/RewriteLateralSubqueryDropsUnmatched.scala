package assay.mutants

import org.apache.spark.sql.catalyst.plans.{Inner, LeftOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a left lateral join keeps the rows for which the subquery has none.
 *  Broken: it becomes an inner join, as the others do.
 *
 *  @rule RewriteLateralSubquery
 *  @point pre-operator-optimization
 */
object RewriteLateralSubqueryDropsUnmatched extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = LateralJoins.rewritten(plan)(identity) {
    case join @ Join(_, _, LeftOuter, _, _) => join.copy(joinType = Inner)
    case join => join
  }
}
