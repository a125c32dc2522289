package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a row is left only if both functions say so.
 *  Broken: the lower one isn't asked.
 *
 *  @rule CombineTypedFilters
 *  @point optimizer
 *  @since 4.3
 */
object CombineTypedFiltersUpperAlone extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = TypedFilters.combined(plan)((_, upper) => upper)
}
