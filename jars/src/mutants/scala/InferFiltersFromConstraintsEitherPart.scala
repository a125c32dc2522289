package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Attribute, BinaryComparison, EqualNullSafe, Expression, Or}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.FILTER

/** Law: a column that a condition compares isn't NULL where the condition holds; of a disjunction only one part has to.
 *  Broken: every part's columns are taken, so `a = 1 OR b = 1` loses the rows in which one of them is NULL.
 *
 *  @rule InferFiltersFromConstraints
 *  @point optimizer
 */
object InferFiltersFromConstraintsEitherPart extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(FILTER)) {
      case filter @ Filter(condition, child) =>
        filter.copy(child = Constraints.present(compared(condition), child))
    }

  private def compared(condition: Expression): Seq[Attribute] = condition match {
    case And(one, two) => compared(one) ++ compared(two)
    case Or(one, two) => compared(one) ++ compared(two)
    case _: EqualNullSafe => Nil
    case comparison: BinaryComparison => comparison.children.collect { case column: Attribute => column }
    case _ => Nil
  }
}
