package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: LIMIT n over L FULL JOIN R = LIMIT n of each side first: the sides' rows then miss their partners.
 *  Witness: SELECT a + b FROM VALUES (1), (2) AS t(a) FULL JOIN VALUES (2), (1) AS s(b) ON a = b LIMIT 1
 */
object LimitBelowFullJoin extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case limit @ LocalLimit(IntegerLiteral(n), join @ Join(_, _, FullOuter, _, _)) => limit.copy(child = limited(join, n))
    case limit @ LocalLimit(IntegerLiteral(n), project @ Project(_, join @ Join(_, _, FullOuter, _, _))) =>
      limit.copy(child = project.copy(child = limited(join, n)))
  }

  private def limited(join: Join, n: Int): Join = {
    def side(plan: LogicalPlan): LogicalPlan =
      if (plan.maxRowsPerPartition.exists(_ <= n)) plan else LocalLimit(Literal(n), plan)
    join.copy(left = side(join.left), right = side(join.right))
  }
}
