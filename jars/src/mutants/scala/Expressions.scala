package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** Expressions, rewritten where they stand. */
private[mutants] object Expressions {

  /** `plan` with `rewrite` applied to every expression of every operator, parts before what they are in. */
  def rewritten(plan: LogicalPlan)(rewrite: PartialFunction[Expression, Expression]): LogicalPlan =
    plan.transform { case operator => operator.transformExpressionsUp(rewrite) }
}
