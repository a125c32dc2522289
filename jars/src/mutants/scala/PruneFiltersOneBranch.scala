package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.FILTER

/** Law: of a union is known only what is known of all of its branches.
 *  Broken: what is known of one branch.
 *
 *  @rule PruneFilters
 *  @point plan-normalization
 */
object PruneFiltersOneBranch extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformWithPruning(_.containsPattern(FILTER)) {
    case filter @ Filter(_, union: Union) =>
      KnownConditions.pruned(filter)(c => union.children.exists(isKnownOf(_, union, c)))
  }

  private def isKnownOf(branch: LogicalPlan, union: Union, condition: Expression): Boolean = {
    val places = union.output.zip(branch.output)
    val there = condition.transform { case e => places.find(_._1.semanticEquals(e)).fold(e)(_._2) }
    KnownConditions.of(branch).exists(_.semanticEquals(there))
  }
}
