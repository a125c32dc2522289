package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.UNION

/** Law: a UNION ALL of a UNION ALL = one of all branches, each as often as it is there.
 *  Broken: of branches that are the same, one is kept.
 *
 *  @rule CombineUnions
 *  @point plan-normalization
 */
object CombineUnionsEachBranchOnce extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(UNION)) {
      case union: Union if union.children.exists(_.isInstanceOf[Union]) =>
        Unions.ofDifferent(Unions.flattened(union)(PartialFunction.empty))(identity)
    }
}
