package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Distinct, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.UNION

/** Law: a union of a union = one union of all branches, unless the lower one alone is distinct.
 *  Broken: the branches of a UNION below a UNION ALL are taken up as well, with all of their rows.
 *
 *  @rule CombineUnions
 *  @point plan-normalization
 */
object CombineUnionsForgetsDistinct extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(UNION)) {
      case union: Union => Unions.flattened(union) { case Distinct(lower: Union) => lower.children }
    }
}
