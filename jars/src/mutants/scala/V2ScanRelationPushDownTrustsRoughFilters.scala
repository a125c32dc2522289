package assay.mutants

import org.apache.spark.sql.catalyst.expressions.SubqueryExpression
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation

/** Law: a condition by which a source leaves out only whole parts of a table is asked of each row above the scan.
 *  Broken: what the source has pushed down in any way is not asked again.
 *
 *  @rule V2ScanRelationPushDown
 *  @point experimental
 */
object V2ScanRelationPushDownTrustsRoughFilters extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Filter(condition, scan: DataSourceV2ScanRelation)
        if V2Scans.says(scan, "WeakFilters: [") && !SubqueryExpression.hasSubquery(condition) => scan
  }
}
