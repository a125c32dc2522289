package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{ExprId, Expression, ScalarSubquery}
import org.apache.spark.sql.catalyst.optimizer.RewriteCorrelatedScalarSubquery
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.TreePattern.SCALAR_SUBQUERY

/** RewriteCorrelatedScalarSubquery at work on subqueries that were changed before: after it none is left for Spark's. */
private[mutants] object ScalarSubqueries {

  /** `plan` with the values of correlated subqueries joined, each subquery as `changed` makes it. */
  def joined(plan: LogicalPlan)(changed: ScalarSubquery => Expression): LogicalPlan =
    RewriteCorrelatedScalarSubquery(plan.transform { case node =>
      node.transformExpressionsUpWithPruning(_.containsPattern(SCALAR_SUBQUERY)) {
        case value: ScalarSubquery if value.isCorrelated => changed(value)
      }
    })

  /** The columns that are the values of the correlated subqueries of `plan`. */
  def values(plan: LogicalPlan): Set[ExprId] =
    plan.flatMap(_.expressions.flatMap(_.collect {
      case value: ScalarSubquery if value.isCorrelated => value.plan.output.head.exprId
    })).toSet
}
