package assay.mutants

import org.apache.spark.sql.catalyst.expressions.CaseWhen
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of two branches with one condition the second is never taken.
 *  Broken: the first is the one that goes.
 *
 *  @rule SimplifyConditionals
 *  @point optimizer
 */
object SimplifyConditionalsLaterBranchWins extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case conditional @ CaseWhen(branches, _) if repeats(branches.map(_._1.canonicalized)) =>
      val kept = branches.zipWithIndex.collect {
        case (branch, place) if !branches.drop(place + 1).exists(_._1.semanticEquals(branch._1)) => branch
      }
      conditional.copy(branches = kept)
  }

  private def repeats(conditions: Seq[Any]): Boolean = conditions.distinct.size < conditions.size
}
