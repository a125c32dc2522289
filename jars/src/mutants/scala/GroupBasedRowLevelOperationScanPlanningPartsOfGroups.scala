package assay.mutants

import org.apache.spark.sql.catalyst.expressions.SubqueryExpression
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.connector.write.RowLevelOperation.Command.MERGE
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation

/** Law: groups are read whole, and the rows that stay as they are are written, too.
 *  Broken: the rows are read for which the statement's condition is true.
 *
 *  @rule GroupBasedRowLevelOperationScanPlanning
 *  @point experimental
 *  @since 4.3
 */
object GroupBasedRowLevelOperationScanPlanningPartsOfGroups extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = GroupScans.once(plan) { write =>
    if (write.operation.command == MERGE || SubqueryExpression.hasSubquery(write.condition)) write
    else write.withNewQuery(write.query.transform {
      case scan: DataSourceV2ScanRelation
          if GroupScans.isOne(scan) && write.condition.references.subsetOf(scan.outputSet) =>
        Filter(write.condition, scan)
    })
  }
}
