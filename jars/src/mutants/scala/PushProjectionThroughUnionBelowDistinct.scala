package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Distinct, LogicalPlan, Project, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{DISTINCT_LIKE, UNION}

/** Law: a projection of a UNION ALL = the UNION ALL of the projections. A distinct UNION compares whole rows, with the
 *  columns that the projection drops.
 *  Broken: the projection goes below the DISTINCT as well, so rows that only a dropped column tells apart become one.
 *
 *  @rule PushProjectionThroughUnion
 *  @point plan-normalization
 */
object PushProjectionThroughUnionBelowDistinct extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(DISTINCT_LIKE, UNION)) {
      case Project(items, Distinct(union: Union)) if items.forall(_.deterministic) =>
        Distinct(union.copy(children = Unions.pushed(items, union)))
    }
}
