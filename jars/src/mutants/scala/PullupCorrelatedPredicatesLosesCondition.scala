package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: every condition that names a column outside is one of the join.
 *  Broken: only the first is, the others are lost.
 *
 *  @rule PullupCorrelatedPredicates
 *  @point plan-normalization
 */
object PullupCorrelatedPredicatesLosesCondition extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = CorrelatedPredicates.pulledUp(plan)(_.take(1))
}
