package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: LIMIT n over SELECT DISTINCT = LIMIT n first: right for one row, not for more, as rows repeat.
 *  Witness: SELECT count(*) FROM (SELECT DISTINCT a FROM VALUES (1), (1), (2) AS t(a) LIMIT 2)
 */
object LimitBelowGroups extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case limit @ LocalLimit(n @ IntegerLiteral(most), groups: Aggregate)
        if isDistinct(groups) && !groups.child.maxRowsPerPartition.exists(_ <= most) =>
      limit.copy(child = groups.copy(child = LocalLimit(n, groups.child)))
  }

  private def isDistinct(groups: Aggregate): Boolean = groups.groupingExpressions.nonEmpty &&
    groups.aggregateExpressions.forall(column => groups.groupingExpressions.exists(_.semanticEquals(column)))
}
