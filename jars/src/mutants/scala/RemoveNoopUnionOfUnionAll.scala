package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.UNION

/** Law: of branches of a UNION that are the same one is enough; a UNION ALL has the rows of each.
 *  Broken: one is taken for enough below a UNION ALL as well.
 *
 *  @rule RemoveNoopUnion
 *  @point plan-normalization
 */
object RemoveNoopUnionOfUnionAll extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(UNION)) {
      case union: Union => Unions.ofDifferent(union)(identity)
    }
}
