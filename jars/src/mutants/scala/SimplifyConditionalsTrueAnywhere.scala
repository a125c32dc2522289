package assay.mutants

import org.apache.spark.sql.catalyst.expressions.CaseWhen
import org.apache.spark.sql.catalyst.expressions.Literal.TrueLiteral
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a branch whose condition is true makes those after it useless; those before it are asked first.
 *  Broken: its result is that of the whole CASE.
 *
 *  @rule SimplifyConditionals
 *  @point optimizer
 */
object SimplifyConditionalsTrueAnywhere extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case CaseWhen(branches, _) if branches.exists(_._1 == TrueLiteral) => branches.find(_._1 == TrueLiteral).get._2
  }
}
