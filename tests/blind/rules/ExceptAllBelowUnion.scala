package blind

import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: (A UNION ALL B) EXCEPT ALL C = (A EXCEPT ALL C) UNION ALL (B EXCEPT ALL C): takes C's rows away twice.
 *  Witness: SELECT a FROM VALUES (1) AS t(a) UNION ALL SELECT b FROM VALUES (1) AS s(b) EXCEPT ALL SELECT c FROM VALUES (1) AS u(c)
 *  @point plan-normalization
 */
object ExceptAllBelowUnion extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Except(union: Union, right, true) =>
      union.copy(children = union.children.map(Except(_, right, isAll = true)))
  }
}
