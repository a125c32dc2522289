package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{GlobalLimit, LocalLimit, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LIMIT

/** Law: a limit of each partition makes the limit of all rows cheaper, and doesn't replace it.
 *  Broken: the limit of each partition is all that is left.
 *
 *  @rule LimitPushDown
 *  @point optimizer
 */
object LimitPushDownLosesGlobalLimit extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LIMIT)) { case GlobalLimit(_, local: LocalLimit) => local }
}
