package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LocalLimit, LogicalPlan, Sort}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LIMIT

/** Law: the first rows of each partition are those of the sorted partition, so a local limit stays above a local sort.
 *  Broken: each partition is limited, and then sorted.
 *
 *  @rule LimitPushDown
 *  @point optimizer
 */
object LimitPushDownBelowLocalSort extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LIMIT)) {
      case LocalLimit(count, sort: Sort) if sort.global && !isLocal(sort.child) =>
        LocalLimit(count, sort.copy(child = sort.copy(global = false, child = LocalLimit(count, sort.child))))
    }

  private def isLocal(plan: LogicalPlan): Boolean = plan match {
    case sort: Sort => !sort.global
    case _ => false
  }
}
