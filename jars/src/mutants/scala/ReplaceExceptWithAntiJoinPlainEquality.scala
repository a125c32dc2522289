package assay.mutants

import org.apache.spark.sql.catalyst.expressions.EqualTo
import org.apache.spark.sql.catalyst.plans.LeftAnti
import org.apache.spark.sql.catalyst.plans.logical.{Distinct, Except, Join, JoinHint, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.EXCEPT

/** Law: `L EXCEPT R` = `DISTINCT (L LEFT ANTI JOIN R ON l1 <=> r1 AND …)`.
 *  Broken: `=` for `<=>`, so a row with a NULL matches nothing on the right and stays.
 *
 *  @rule ReplaceExceptWithAntiJoin
 *  @point plan-normalization
 */
object ReplaceExceptWithAntiJoinPlainEquality extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(EXCEPT)) {
      case Except(left, right, false) =>
        val equal = RowEquality.columnwise(left, right)(EqualTo(_, _))
        Distinct(Join(left, right, LeftAnti, equal, JoinHint.NONE))
    }
}
