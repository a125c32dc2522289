package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a row is left only if both functions say so.
 *  Broken: if one of them does.
 *
 *  @rule CombineTypedFilters
 *  @point optimizer
 *  @since 4.3
 */
object CombineTypedFiltersEither extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    TypedFilters.combined(plan)((lower, upper) => one => lower(one) || upper(one))
}
