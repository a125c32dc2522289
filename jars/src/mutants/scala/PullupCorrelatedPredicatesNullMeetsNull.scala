package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{EqualNullSafe, EqualTo}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a condition means the same when it is pulled up: `=` is NULL of NULL.
 *  Broken: rows are looked up by `<=>`, as grouping takes them, so NULL meets NULL.
 *
 *  @rule PullupCorrelatedPredicates
 *  @point plan-normalization
 */
object PullupCorrelatedPredicatesNullMeetsNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = CorrelatedPredicates.pulledUp(plan)(_.map {
    case EqualTo(one, two) => EqualNullSafe(one, two)
    case other => other
  })
}
