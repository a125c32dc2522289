package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the operator is applied to all results, that of ELSE among them.
 *  Broken: if it gives the type of its operand, ELSE stays as it was: `if(c, 1, 2) + 1` is 2.
 *
 *  @rule PushFoldableIntoBranches
 *  @point optimizer
 */
object PushFoldableIntoBranchesElseStays extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case operator @ Branches.Pushable(conditional, applied) if operator.dataType == conditional.dataType =>
      conditional.copy(branches = Branches.each(conditional, applied))
  }
}
