package assay.mutants

import org.apache.spark.sql.catalyst.expressions.IsNotNull
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.FILTER

/** Law: a condition says of a column that it isn't NULL if it can't be true of NULL.
 *  Broken: if it is about that column at all, as `<=>` and OR are.
 *
 *  @rule PruneFilters
 *  @point plan-normalization
 */
object PruneFiltersMaybeNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformWithPruning(_.containsPattern(FILTER)) {
    case filter: Filter =>
      KnownConditions.pruned(filter) {
        case asked: IsNotNull =>
          KnownConditions.of(filter.child).exists(c => asked.references.subsetOf(c.references))
        case _ => false
      }
  }
}
