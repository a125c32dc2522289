package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** Expressions that stand for others are replaced before Spark's rule sees them. */
private[mutants] object Replaced {

  /** `plan` with its expressions, in subqueries' plans as well, replaced from the leaves up. */
  def expressions(plan: LogicalPlan)(wrong: PartialFunction[Expression, Expression]): LogicalPlan =
    plan.transformUpWithSubqueries { case node => node.transformExpressionsUp(wrong) }
}
