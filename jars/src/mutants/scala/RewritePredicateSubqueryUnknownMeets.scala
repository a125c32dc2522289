package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{IsNull, Or}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of `x NOT IN (SELECT y … WHERE c)` only `x = y` counts when it is NULL; a row of which c is NULL isn't there.
 *  Broken: c counts as well when it is NULL.
 *
 *  @rule RewritePredicateSubquery
 *  @point pre-cbo
 */
object RewritePredicateSubqueryUnknownMeets extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PredicateSubqueries.joined(plan) {
    case join @ Join(_, _, _, Some(condition), _)
        if condition.exists(part => PredicateSubqueries.OrUnknown.unapply(part).isDefined) =>
      join.copy(condition = Some(PredicateSubqueries.each(condition) {
        case equal @ PredicateSubqueries.OrUnknown(_) => equal
        case correlation => Or(correlation, IsNull(correlation))
      }))
  }
}
