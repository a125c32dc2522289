package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: an operator on a CASE is applied to each result, and to the NULL that a missing ELSE is.
 *  Broken: a missing ELSE stays missing, so `CASE WHEN c THEN 1 END IS NULL` is never true.
 *
 *  @rule PushFoldableIntoBranches
 *  @point optimizer
 */
object PushFoldableIntoBranchesForgetsNoElse extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case Branches.Pushable(conditional, applied) =>
      conditional.copy(branches = Branches.each(conditional, applied), elseValue = conditional.elseValue.map(applied))
  }
}
