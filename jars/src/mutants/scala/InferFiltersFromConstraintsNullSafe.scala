package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, EqualNullSafe, Expression, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.{Inner, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{FILTER, JOIN}

/** Law: a column that a condition compares isn't NULL where the condition holds.
 *  Broken: for `<=>` too, to which NULL equals NULL.
 *
 *  @rule InferFiltersFromConstraints
 *  @point optimizer
 */
object InferFiltersFromConstraintsNullSafe extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAnyPattern(FILTER, JOIN)) {
      case filter @ Filter(condition, child) =>
        filter.copy(child = Constraints.present(compared(condition), child))
      case join @ Join(left, right, Inner | LeftSemi, Some(condition), _) =>
        val columns = compared(condition)
        join.copy(left = Constraints.present(columns, left), right = Constraints.present(columns, right))
    }

  private def compared(condition: Expression): Seq[Attribute] = splitConjunctivePredicates(condition).collect {
    case EqualNullSafe(one: Attribute, two: Attribute) => Seq(one, two)
  }.flatten
}
