package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Or
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `Filter(c, Filter(d, L))` = `Filter(d AND c, L)`.
 *  Broken: `d OR c`, so rows come through that one of the filters would have dropped.
 *
 *  @rule CombineFilters
 *  @point plan-normalization
 */
object CombineFiltersEither extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(upper, Filter(lower, child)) if Pushdown.isPlain(lower) => Filter(Or(lower, upper), child)
  }
}
