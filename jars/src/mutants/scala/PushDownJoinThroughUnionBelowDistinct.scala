package assay.mutants

import org.apache.spark.sql.catalyst.optimizer.PushDownJoinThroughUnion
import org.apache.spark.sql.catalyst.plans.logical.{Distinct, Join, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a join of a UNION ALL = the UNION ALL of joins of its branches. A distinct UNION loses repeated rows before the
 *  join, which then has a row for each partner.
 *  Broken: the join goes below the DISTINCT as well, so partners that are alike count once.
 *
 *  @rule PushDownJoinThroughUnion
 *  @point plan-normalization
 *  @since 4.3
 */
object PushDownJoinThroughUnionBelowDistinct extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case join @ Join(Distinct(union: Union), _, _, _, _) =>
      PushDownJoinThroughUnion(conf)(join.copy(left = union)) match {
        case pushed: Union => Distinct(pushed)
        case _ => join
      }
  }
}
