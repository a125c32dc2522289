package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: EXISTS (SELECT f(x) FROM q) = EXISTS (SELECT * FROM q): without GROUP BY there is a row always.
 *  Witness: SELECT a FROM VALUES (1) AS t(a) WHERE EXISTS (SELECT max(b) FROM VALUES (1) AS s(b) WHERE b > 5)
 *  @point plan-normalization
 */
object ExistsOverAggregate extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case exists: Exists => exists.plan match {
      case Aggregate(_, _, child, _) => exists.withNewPlan(child)
      case _ => exists
    }
  }
}
