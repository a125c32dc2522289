package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Coalesce, Literal, Not}
import org.apache.spark.sql.catalyst.plans.logical.{Except, Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.EXCEPT

/** Law: `L EXCEPT (L WHERE c)` = `DISTINCT (L WHERE NOT coalesce(c, false))`.
 *  Broken: without the DISTINCT, a row that L holds twice is answered twice.
 *
 *  @rule ReplaceExceptWithFilter
 *  @point plan-normalization
 */
object ReplaceExceptWithFilterNoDistinct extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(EXCEPT)) {
      case except @ Except(left, right, false) =>
        Selection.conditionOnLeft(Selection.of(left), Selection.of(right)) match {
          case Some(condition) => Filter(Not(Coalesce(Seq(condition, Literal.FalseLiteral))), left)
          case None => except
        }
    }
}
