package assay.mutants

import org.apache.spark.sql.catalyst.analysis.EliminateSubqueryAliases
import org.apache.spark.sql.catalyst.expressions.{Exists, Expression, LateralSubquery, ListQuery, ScalarSubquery}
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression
import org.apache.spark.sql.catalyst.optimizer.PullupCorrelatedPredicates
import org.apache.spark.sql.catalyst.plans.logical.{DomainJoin, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.PLAN_EXPRESSION

/** PullupCorrelatedPredicates at work, and what it pulled up changed: Spark's finds nothing in the subqueries then, and
 *  keeps what is there.
 */
private[mutants] object CorrelatedPredicates {

  /** `plan` with each correlated subquery's conditions pulled up, and those as `changed` makes them. */
  def pulledUp(plan: LogicalPlan)(changed: Seq[Expression] => Seq[Expression]): LogicalPlan = {
    if (!plan.containsPattern(PLAN_EXPRESSION)) return plan
    val bare = EliminateSubqueryAliases(plan.transformAllExpressionsWithPruning(_.containsPattern(PLAN_EXPRESSION)) {
      case query: SubqueryExpression =>
        query.withNewPlan(EliminateSubqueryAliases(query.plan))
    })
    PullupCorrelatedPredicates(bare).transform { case node =>
      node.transformExpressionsWithPruning(_.containsPattern(PLAN_EXPRESSION)) {
        case query: ScalarSubquery if isJoined(query.plan) => query.copy(joinCond = changed(query.joinCond))
        case query: Exists if isJoined(query.plan) => query.copy(joinCond = changed(query.joinCond))
        case query: ListQuery if isJoined(query.plan) => query.copy(joinCond = changed(query.joinCond))
        case query: LateralSubquery if isJoined(query.plan) => query.copy(joinCond = changed(query.joinCond))
      }
    }
  }

  /** A DomainJoin inside is found again by its conditions, so that these have to stay. */
  private def isJoined(plan: LogicalPlan): Boolean = !plan.exists(_.isInstanceOf[DomainJoin])
}
