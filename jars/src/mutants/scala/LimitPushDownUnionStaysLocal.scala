package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{GlobalLimit, LocalLimit, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LIMIT

/** Law: branches of a union may be limited, and the union still has to be.
 *  Broken: only the branches are.
 *
 *  @rule LimitPushDown
 *  @point optimizer
 */
object LimitPushDownUnionStaysLocal extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LIMIT)) {
      case GlobalLimit(_, LocalLimit(count, union: Union)) =>
        union.withNewChildren(union.children.map(LocalLimit(count, _)))
    }
}
