package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation

/** Law: rows that are sorted by two columns are sorted by the second one only among equals of the first.
 *  Broken: the second column is taken for an order of all rows.
 *
 *  @rule V2ScanPartitioningAndOrdering
 *  @point experimental
 */
object V2ScanPartitioningAndOrderingSecondColumnFirst extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case scan: DataSourceV2ScanRelation if scan.ordering.exists(_.length > 1) =>
      scan.copy(ordering = scan.ordering.map(_.reverse))
  }
}
