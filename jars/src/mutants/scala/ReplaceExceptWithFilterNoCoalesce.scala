package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Not
import org.apache.spark.sql.catalyst.plans.logical.{Distinct, Except, Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.EXCEPT

/** Law: `L EXCEPT (L WHERE c)` = `DISTINCT (L WHERE NOT coalesce(c, false))`.
 *  Broken: `NOT c` without the coalesce. Where c is NULL a row is not on the right, so it must stay; here it goes.
 *
 *  @rule ReplaceExceptWithFilter
 *  @point plan-normalization
 */
object ReplaceExceptWithFilterNoCoalesce extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(EXCEPT)) {
      case except @ Except(left, right, false) =>
        Selection.conditionOnLeft(Selection.of(left), Selection.of(right)) match {
          case Some(condition) => Distinct(Filter(Not(condition), left))
          case None => except
        }
    }
}
