package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Distinct, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.DISTINCT_LIKE

/** Law: `DISTINCT L` = `SELECT all columns FROM L GROUP BY all columns`.
 *  Broken: the last column is left out of the keys and any of its values answered, so of (1, 1) and (1, 2) one is lost.
 *
 *  @rule ReplaceDistinctWithAggregate
 *  @point plan-normalization
 */
object ReplaceDistinctWithAggregateMissingKey extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.containsPattern(DISTINCT_LIKE)) plan else plan.transformUpWithNewOutput {
      case Distinct(child) if child.output.nonEmpty =>
        val grouped = CountedRows.grouped(child, child.output, keys = child.output.init)
        Output.as(child.output, grouped.output, grouped)
    }
}
