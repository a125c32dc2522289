package assay.mutants

import org.apache.spark.sql.catalyst.expressions.DynamicPruningSubquery
import org.apache.spark.sql.catalyst.planning.NodeWithOnlyDeterministicProjectAndFilter
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.DYNAMIC_PRUNING_SUBQUERY
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation
import org.apache.spark.sql.execution.dynamicpruning.PartitionPruning

/** Sides of joins that are filtered by the keys of the other side, but can't leave out splits by them. */
private[mutants] object PrunedSides {

  /** `plan` with each filter by keys put back that was of no use, and then taken out by `clean`, with its join. */
  def cleaned(plan: LogicalPlan)(clean: (Join, DynamicPruningSubquery, LogicalPlan) => LogicalPlan): LogicalPlan =
    if (plan.containsPattern(DYNAMIC_PRUNING_SUBQUERY)) plan
    else {
      PartitionPruning(plan).transformUp {
        case join @ Join(Filter(keys: DynamicPruningSubquery, rows), _, _, _, _) if isWhole(rows) =>
          clean(join, keys, rows)
        case join @ Join(_, Filter(keys: DynamicPruningSubquery, rows), _, _, _) if isWhole(rows) =>
          clean(join, keys, rows)
      }
    }

  /** `join` with `rows` in place of the side that is filtered by keys. */
  def over(rows: LogicalPlan, join: Join): Join = join.left match {
    case Filter(_: DynamicPruningSubquery, _) => join.copy(left = rows)
    case _ => join.copy(right = rows)
  }

  private def isWhole(rows: LogicalPlan): Boolean = rows match {
    case NodeWithOnlyDeterministicProjectAndFilter(_: DataSourceV2ScanRelation) => false
    case _ => true
  }
}
