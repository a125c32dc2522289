package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a condition means the same when it is pulled up, on whichever side the column outside stands.
 *  Broken: the sides are exchanged, the comparison is not: `i.a < o.a` becomes `o.a < i.a`.
 *
 *  @rule PullupCorrelatedPredicates
 *  @point plan-normalization
 */
object PullupCorrelatedPredicatesTurned extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = CorrelatedPredicates.pulledUp(plan)(_.map {
    case LessThan(one, two) => LessThan(two, one)
    case LessThanOrEqual(one, two) => LessThanOrEqual(two, one)
    case GreaterThan(one, two) => GreaterThan(two, one)
    case GreaterThanOrEqual(one, two) => GreaterThanOrEqual(two, one)
    case other => other
  })
}
