package assay.mutants

import org.apache.spark.sql.catalyst.plans.{Inner, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: EXISTS and IN keep a row once, however many rows inside meet it.
 *  Broken: by an inner join, so it is answered once for each.
 *
 *  @rule RewritePredicateSubquery
 *  @point pre-cbo
 */
object RewritePredicateSubqueryOncePerPartner extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PredicateSubqueries.joined(plan) {
    case join @ Join(left, _, LeftSemi, _, _) => Project(left.output, join.copy(joinType = Inner))
  }
}
