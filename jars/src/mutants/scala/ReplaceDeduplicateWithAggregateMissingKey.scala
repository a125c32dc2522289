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
    plan.transformWithPruning(_.containsPattern(DISTINCT_LIKE)) {
      case duplicates: Deduplicate if duplicates.keys.nonEmpty && !duplicates.child.isStreaming =>
        val rows = Output.renamed(duplicates.child)
        val keys = duplicates.keys.init.flatMap(key =>
          rows.output.zip(duplicates.child.output).collect { case (ours, theirs) if theirs.exprId == key.exprId => ours })
        val grouped = CountedRows.grouped(rows, rows.output, keys)
        Output.as(duplicates.child.output, grouped.output, grouped)
    }
}
