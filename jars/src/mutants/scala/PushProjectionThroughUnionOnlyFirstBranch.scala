package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{PROJECT, UNION}

/** Law: a projection of a UNION ALL = the UNION ALL of the projections of all its branches.
 *  Broken: the first branch alone is projected; of the others the column that stands in the expression's place is taken
 *  as it is, where its type allows.
 *
 *  @rule PushProjectionThroughUnion
 *  @point optimizer
 */
object PushProjectionThroughUnionOnlyFirstBranch extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(UNION, PROJECT)) {
      case Project(items, union: Union) if items.forall(_.deterministic) =>
        val branches = Unions.pushed(items, union)
        union.copy(children = branches.head +: branches.tail.map(branch => asTheyAre(branch.projectList, branch.child)))
    }

  private def asTheyAre(values: Seq[NamedExpression], branch: LogicalPlan): Project =
    Project(values.zipWithIndex.map { case (value, place) =>
      branch.output.lift(place).filter(_.dataType == value.dataType).fold(value)(Alias(_, value.name)())
    }, branch)
}
