package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Deduplicate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.DISTINCT_LIKE

/** Law: `L.dropDuplicates(keys)` = `SELECT keys, first(others) FROM L GROUP BY keys`.
 *  Broken: the last key is left out and counts among the others, so of the keys (1, 1) and (1, 2) one is lost.
 *
 *  @rule ReplaceDeduplicateWithAggregate
 *  @point plan-normalization
 */
object ReplaceDeduplicateWithAggregateMissingKey extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.containsPattern(DISTINCT_LIKE)) plan else plan.transformUpWithNewOutput {
      case duplicates: Deduplicate if duplicates.keys.nonEmpty && !duplicates.child.isStreaming =>
        val grouped = CountedRows.grouped(duplicates.child, duplicates.child.output, duplicates.keys.init)
        Output.as(duplicates.child.output, grouped.output, grouped)
    }
}
