package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Ascending, SortOrder}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation

/** Law: an order that a source reports has the direction that it says.
 *  Broken: each column is taken to ascend.
 *
 *  @rule V2ScanPartitioningAndOrdering
 *  @point experimental
 */
object V2ScanPartitioningAndOrderingAscendingAnyway extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case scan: DataSourceV2ScanRelation if scan.ordering.exists(_.exists(_.direction != Ascending)) =>
      scan.copy(ordering = scan.ordering.map(_.map(key => SortOrder(key.child, Ascending))))
  }
}
