package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Or
import org.apache.spark.sql.catalyst.plans.InnerLike
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the operands of an AND go their own ways; an OR is one condition, and goes where all of its columns are.
 *  Broken: above an inner join the operands of an OR go to their sides as if both had to hold.
 *
 *  @rule PushDownPredicates
 *  @point plan-normalization
 */
object PushDownPredicatesSplitsOr extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(Or(one, two), join @ Join(left, right, _: InnerLike, _, _))
        if Pushdown.over(left, Seq(one))._1.nonEmpty && Pushdown.over(right, Seq(two))._1.nonEmpty =>
      join.copy(left = Filter(one, left), right = Filter(two, right))
  }
}
