package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, EqualTo, Expression, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.{FullOuter, LeftAnti, LeftOuter, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.JOIN

/** Law: NULL in a join's key finds no partner, so rows with it can go from a side whose rows without one are not kept.
 *  Broken: they go from the side that is kept, where they should be answered with padding.
 *
 *  @rule InferFiltersFromConstraints
 *  @point optimizer
 */
object InferFiltersFromConstraintsKeptSide extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(JOIN)) {
      case join @ Join(left, _, LeftOuter | LeftAnti | FullOuter, Some(condition), _) =>
        join.copy(left = Constraints.present(compared(condition), left))
      case join @ Join(_, right, RightOuter, Some(condition), _) =>
        join.copy(right = Constraints.present(compared(condition), right))
    }

  private def compared(condition: Expression): Seq[Attribute] = splitConjunctivePredicates(condition).collect {
    case equality: EqualTo => equality.references.toSeq
  }.flatten
}
