package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Distinct, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{DISTINCT_LIKE, UNION}

/** Law: of branches of a UNION that are the same one is enough, and of its rows each one: the DISTINCT stays.
 *  Broken: where one branch is left, it is taken as it is, with all copies of its rows.
 *
 *  @rule RemoveNoopUnion
 *  @point plan-normalization
 */
object RemoveNoopUnionLosesDistinct extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(DISTINCT_LIKE, UNION)) {
      case Distinct(union: Union) =>
        Unions.ofDifferent(union)(identity) match {
          case several: Union => Distinct(several)
          case one => one
        }
    }
}
