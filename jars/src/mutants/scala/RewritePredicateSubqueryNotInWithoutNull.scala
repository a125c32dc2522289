package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `x NOT IN q` keeps the rows for which `x = q OR (x = q) IS NULL` holds of no row of q.
 *  Broken: those for which `x = q` holds of none, as NOT EXISTS does: NULL on either side keeps a row.
 *
 *  @rule RewritePredicateSubquery
 *  @point pre-cbo
 */
object RewritePredicateSubqueryNotInWithoutNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PredicateSubqueries.joined(plan) {
    case join @ Join(_, _, _, Some(condition), _) =>
      join.copy(condition = Some(PredicateSubqueries.each(condition) {
        case PredicateSubqueries.OrUnknown(equal) => equal
        case other => other
      }))
  }
}
