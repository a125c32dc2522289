package assay.mutants

import org.apache.spark.sql.catalyst.expressions.EqualNullSafe
import org.apache.spark.sql.catalyst.plans.LeftAnti
import org.apache.spark.sql.catalyst.plans.logical.{Distinct, Except, Join, JoinHint, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.EXCEPT

/** Law: `L EXCEPT R` = `DISTINCT (L LEFT ANTI JOIN R ON l1 <=> r1 AND …)`, over all columns.
 *  Broken: only the first columns are compared, so (1, 2) goes because of the right side's (1, 3).
 *
 *  @rule ReplaceExceptWithAntiJoin
 *  @point plan-normalization
 */
object ReplaceExceptWithAntiJoinFirstColumnOnly extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(EXCEPT)) {
      case Except(left, right, false) =>
        val equal = left.output.zip(right.output).headOption.map { case (l, r) => EqualNullSafe(l, r) }
        Distinct(Join(left, right, LeftAnti, equal, JoinHint.NONE))
    }
}
