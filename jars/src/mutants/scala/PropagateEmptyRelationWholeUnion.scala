package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.UNION

/** Law: a union is empty if all of its branches are; an empty branch adds nothing.
 *  Broken: it is empty if one of them is.
 *
 *  @rule PropagateEmptyRelation
 *  @point optimizer
 */
object PropagateEmptyRelationWholeUnion extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(UNION)) {
      case union: Union if union.children.exists(Emptiness.holds) => Emptiness.of(union)
    }
}
