package assay.mutants

import org.apache.spark.sql.catalyst.plans.{Inner, LeftOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the subquery is joined to the left, so that every row outside stays.
 *  Broken: by an inner join, so a row that nothing inside meets is lost.
 *
 *  @rule RewriteCorrelatedScalarSubquery
 *  @point pre-operator-optimization
 *  @since 4.3
 */
object RewriteCorrelatedScalarSubqueryDropsUnmet extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    val values = ScalarSubqueries.values(plan)
    ScalarSubqueries.joined(plan)(identity).transform {
      case join @ Join(_, right, LeftOuter, _, _) if right.output.exists(column => values(column.exprId)) =>
        join.copy(joinType = Inner)
    }
  }
}
