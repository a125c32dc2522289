package blind

import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: an aggregate over no rows has no rows: without GROUP BY it has one.
 *  Witness: SELECT count(*) FROM VALUES (1) AS t(a) WHERE false
 */
object AggregateOfNothing extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Aggregate(_, output, child, _) if isEmpty(child) => LocalRelation(output.map(_.toAttribute))
  }

  private def isEmpty(plan: LogicalPlan): Boolean = plan match {
    case rows: LocalRelation => rows.data.isEmpty
    case Project(_, child) => isEmpty(child)
    case _ => false
  }
}
