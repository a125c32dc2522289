package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeMap}
import org.apache.spark.sql.catalyst.plans.LeftSemiOrAnti
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LEFT_SEMI_OR_ANTI_JOIN

/** Law: a semi or anti join of a union = the union of its branches, each joined.
 *  Broken: only the first branch is joined, the rows of the others all stay.
 *
 *  @rule PushDownLeftSemiAntiJoin
 *  @point optimizer
 */
object PushDownLeftSemiAntiJoinFirstBranch extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LEFT_SEMI_OR_ANTI_JOIN)) {
      case join @ Join(union: Union, _, LeftSemiOrAnti(_), condition, _) =>
        val first = AttributeMap(union.output.zip(union.children.head.output))
        val below = condition.map(_.transform { case column: Attribute =>
          first.getOrElse(column, column)
        })
        union.withNewChildren(join.copy(left = union.children.head, condition = below) +: union.children.tail)
    }
}
