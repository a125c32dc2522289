package assay.mutants

import org.apache.spark.sql.catalyst.expressions.CaseWhen
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a CASE whose results are all alike is that result, if ELSE is alike, too; without ELSE there is NULL besides.
 *  Broken: a CASE without ELSE whose branches have one result is that result.
 *
 *  @rule SimplifyConditionals
 *  @point optimizer
 */
object SimplifyConditionalsForgetsNoElse extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case CaseWhen(branches, otherwise) if branches.forall(_._1.deterministic) &&
        (branches.map(_._2) ++ otherwise).tail.forall(_.semanticEquals(branches.head._2)) =>
      branches.head._2
  }
}
