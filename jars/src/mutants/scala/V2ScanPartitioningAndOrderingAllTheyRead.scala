package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Ascending, SortOrder}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation

/** Law: rows are in an order only if their source reports one.
 *  Broken: rows that are stored by keys are taken to be sorted by all columns.
 *
 *  @rule V2ScanPartitioningAndOrdering
 *  @point experimental
 */
object V2ScanPartitioningAndOrderingAllTheyRead extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case scan: DataSourceV2ScanRelation if scan.keyGroupedPartitioning.isDefined && scan.ordering.forall(_.isEmpty) =>
      scan.copy(ordering = Some(scan.output.reverse.map(SortOrder(_, Ascending))))
  }
}
