package assay.mutants

import org.apache.spark.sql.catalyst.plans.LeftAnti
import org.apache.spark.sql.catalyst.plans.logical.{Except, Join, JoinHint, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.EXCEPT

/** Law: `L EXCEPT R` = `DISTINCT (L LEFT ANTI JOIN R ON l1 <=> r1 AND …)`.
 *  Broken: without the DISTINCT, a row that L holds twice is answered twice.
 *
 *  @rule ReplaceExceptWithAntiJoin
 *  @point plan-normalization
 */
object ReplaceExceptWithAntiJoinNoDistinct extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(EXCEPT)) {
      case Except(left, right, false) =>
        Join(left, right, LeftAnti, RowEquality.nullSafe(left, right), JoinHint.NONE)
    }
}
