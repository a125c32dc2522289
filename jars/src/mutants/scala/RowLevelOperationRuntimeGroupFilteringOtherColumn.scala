package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation

/** Law: the keys are values of the column by which the source leaves out groups.
 *  Broken: another column of its type is compared with them.
 *
 *  @rule RowLevelOperationRuntimeGroupFiltering
 *  @point experimental
 *  @since 4.3
 */
object RowLevelOperationRuntimeGroupFilteringOtherColumn extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = GroupFilters.changed(plan) { (keys, write) =>
    val scanned = write.query.collect { case scan: DataSourceV2ScanRelation => scan.output }.flatten
    keys.copy(values = keys.values.map {
      case key: Attribute =>
        scanned.find(each => each.dataType == key.dataType && each.exprId != key.exprId).getOrElse(key)
      case other => other
    })
  }
}
