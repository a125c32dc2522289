package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Distinct, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{DISTINCT_LIKE, UNION}

/** Law: a union of a union = one union of all branches, where the upper one is what says whether rows are there once.
 *  Broken: the lower one says it too: of a UNION ALL of a UNION each row is answered once.
 *
 *  @rule CombineUnions
 *  @point plan-normalization
 */
object CombineUnionsDistinctThroughout extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformUpWithPruning(_.containsAllPatterns(DISTINCT_LIKE, UNION)) {
      case union: Union if union.children.exists(isDistinct) =>
        Distinct(Unions.flattened(union) { case Distinct(lower: Union) => lower.children })
    }

  private def isDistinct(branch: LogicalPlan): Boolean = branch match {
    case Distinct(_: Union) => true
    case _ => false
  }
}
