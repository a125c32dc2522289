package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution._

/** Law: ORDER BY k LIMIT n OFFSET m = the n first rows without the m first of these: it takes n + m rows.
 *  Witness: SELECT a FROM VALUES (1), (2), (3) AS t(a) ORDER BY a LIMIT 1 OFFSET 1
 *  @point planner-strategy
 */
class TopRowsThenOffset extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case ReturnAnswer(child) => apply(child)
    case GlobalLimit(IntegerLiteral(n), Offset(IntegerLiteral(m), LocalLimit(_, sort: Sort))) => top(n, m, sort)
    case GlobalLimit(IntegerLiteral(n), LocalLimit(_, Offset(IntegerLiteral(m), sort: Sort))) => top(n, m, sort)
    case _ => Nil
  }

  private def top(n: Int, m: Int, sort: Sort): Seq[SparkPlan] =
    TakeOrderedAndProjectExec(n, sort.order, sort.child.output, planLater(sort.child), m) :: Nil
}
