package assay.mutants

import org.apache.spark.sql.catalyst.expressions.CaseWhen
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a branch whose result is that of ELSE can go if all branches after it are alike; else it keeps rows from them.
 *  Broken: wherever it is, so the rows for which its condition is true may reach a branch after it.
 *
 *  @rule SimplifyConditionals
 *  @point optimizer
 */
object SimplifyConditionalsDropsAlikeToElse extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case CaseWhen(branches, Some(last)) if branches.exists(_._2.semanticEquals(last)) =>
      val others = branches.filterNot(_._2.semanticEquals(last))
      if (others.isEmpty) last else CaseWhen(others, Some(last))
  }
}
