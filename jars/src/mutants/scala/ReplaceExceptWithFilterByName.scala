package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Coalesce, Literal, Not}
import org.apache.spark.sql.catalyst.plans.logical.{Distinct, Except, Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.EXCEPT

/** Law: `L EXCEPT (L WHERE c)` = `DISTINCT (L WHERE NOT coalesce(c, false))`, both sides having the same columns in
 *  the same places: EXCEPT compares by position.
 *  Broken: the sides' columns are paired by name, so `SELECT a, b FROM t EXCEPT SELECT b, a FROM t WHERE c` is taken
 *  for the law's form, and (1, 2) goes because of the right side's (2, 1).
 *  (Finding the condition's columns by their names in L's output would be the bug that Spark has, SPARK-58383.)
 *
 *  @rule ReplaceExceptWithFilter
 *  @point plan-normalization
 */
object ReplaceExceptWithFilterByName extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(EXCEPT)) {
      case except @ Except(left, right, false) =>
        Selection.conditionOnLeft(Selection.of(left), inOrderOf(left, Selection.of(right))) match {
          case Some(condition) => Distinct(Filter(Not(Coalesce(Seq(condition, Literal.FalseLiteral))), left))
          case None => except
        }
    }

  private def inOrderOf(left: LogicalPlan, right: Selection): Selection =
    right.copy(columns = left.output.flatMap(column => right.columns.find(_.name == column.name)))
}
