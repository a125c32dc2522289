package blind

import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: SELECT DISTINCT over GROUP BY keeps each row: not where it leaves a key out.
 *  Witness: SELECT DISTINCT n FROM (SELECT a, count(*) AS n FROM VALUES (1), (2) AS t(a) GROUP BY a)
 */
object DistinctOverGroups extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case upper @ Aggregate(_, output, child, _)
        if output.forall(column => upper.groupingExpressions.exists(_.semanticEquals(column))) && isGroups(child) =>
      Project(output, child)
  }

  private def isGroups(plan: LogicalPlan): Boolean = plan match {
    case lower: Aggregate => lower.groupingExpressions.nonEmpty
    case Project(_, child) => isGroups(child)
    case _ => false
  }
}
