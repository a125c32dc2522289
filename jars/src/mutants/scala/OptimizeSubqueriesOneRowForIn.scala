package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{ListQuery, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{GlobalLimit, LocalLimit, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LIST_SUBQUERY

/** Law: an EXISTS that isn't correlated needs one row of its query, and IN all of them.
 *  Broken: IN gets one.
 *
 *  @rule OptimizeSubqueries
 *  @point plan-normalization
 */
object OptimizeSubqueriesOneRowForIn extends Rule[LogicalPlan] {
  private val One = Literal(1)

  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformAllExpressionsWithPruning(_.containsPattern(LIST_SUBQUERY)) {
      case list: ListQuery if !list.isCorrelated =>
        list.withNewPlan(GlobalLimit(One, LocalLimit(One, list.plan)))
    }
}
