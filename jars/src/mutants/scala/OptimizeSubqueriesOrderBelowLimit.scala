package assay.mutants

import org.apache.spark.sql.catalyst.expressions.SubqueryExpression
import org.apache.spark.sql.catalyst.plans.logical.{LocalLimit, LogicalPlan, Sort}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.PLAN_EXPRESSION

/** Law: the order of a subquery's rows doesn't matter, so a sort on its top may go.
 *  Broken: one below a limit goes as well, and the limit takes other rows.
 *
 *  @rule OptimizeSubqueries
 *  @point plan-normalization
 */
object OptimizeSubqueriesOrderBelowLimit extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformAllExpressionsWithPruning(_.containsPattern(PLAN_EXPRESSION)) {
      case query: SubqueryExpression => query.withNewPlan(query.plan.transform {
        case limit @ LocalLimit(_, sort: Sort) => limit.copy(child = sort.child)
      })
    }
}
