package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{DeleteFromTableWithFilters, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.v2.OptimizeMetadataOnlyDeleteFromTable

/** Law: the source deletes the rows for which all parts of the condition are true.
 *  Broken: those for which the first part is.
 *
 *  @rule OptimizeMetadataOnlyDeleteFromTable
 *  @point pre-cbo
 *  @since 4.3
 */
object OptimizeMetadataOnlyDeleteFromTableFirstConditionAlone extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = OptimizeMetadataOnlyDeleteFromTable(plan).transform {
    case delete: DeleteFromTableWithFilters => delete.copy(condition = delete.condition.take(1))
  }
}
