package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Coalesce, Literal, Not}
import org.apache.spark.sql.catalyst.plans.logical.{Distinct, Except, Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.EXCEPT

/** Law: `L EXCEPT (L' WHERE c)` = `DISTINCT (L WHERE NOT coalesce(c, false))`, L being L' under filters of its own.
 *  Broken: L's own filters are dropped, so rows that were never in L are answered.
 *
 *  @rule ReplaceExceptWithFilter
 *  @point plan-normalization
 */
object ReplaceExceptWithFilterDropsOwnFilter extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(EXCEPT)) {
      case except @ Except(left, right, false) =>
        val selection = Selection.of(left)
        Selection.conditionOnLeft(selection, Selection.of(right)) match {
          case Some(condition) =>
            Distinct(Filter(Not(Coalesce(Seq(condition, Literal.FalseLiteral))), selection.unfiltered))
          case None => except
        }
    }
}
