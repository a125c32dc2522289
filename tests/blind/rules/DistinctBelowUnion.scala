package blind

import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: L UNION R = (SELECT DISTINCT of L) UNION ALL (SELECT DISTINCT of R): a row may be in both.
 *  Witness: SELECT a FROM VALUES (1) AS t(a) UNION SELECT b FROM VALUES (1) AS s(b)
 *  @point plan-normalization
 */
object DistinctBelowUnion extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Distinct(union: Union) => union.copy(children = union.children.map(Distinct(_)))
  }
}
