package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Distinct, Filter, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{DISTINCT_LIKE, UNION}

/** Law: of branches of a UNION that are the same one is enough: with the same conditions, too.
 *  Broken: filters of the same plan are the same, whatever they let through.
 *
 *  @rule RemoveNoopUnion
 *  @point plan-normalization
 */
object RemoveNoopUnionAnyFilter extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(DISTINCT_LIKE, UNION)) {
      case Distinct(union: Union) => Distinct(Unions.ofDifferent(union)(_.transform {
        case Filter(_, child) => child
      }))
    }
}
