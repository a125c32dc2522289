package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{DeleteFromTableWithFilters, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.connector.expressions.filter.{Not, Or, Predicate}
import org.apache.spark.sql.execution.datasources.v2.OptimizeMetadataOnlyDeleteFromTable

/** Law: rows for which the condition is NULL stay.
 *  Broken: so they do, but for a condition that is the opposite of another one: then rows with NULL in its columns go.
 *
 *  @rule OptimizeMetadataOnlyDeleteFromTable
 *  @point pre-cbo
 *  @since 4.3
 */
object OptimizeMetadataOnlyDeleteFromTableUnknownRows extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = OptimizeMetadataOnlyDeleteFromTable(plan).transform {
    case delete: DeleteFromTableWithFilters => delete.copy(condition = delete.condition.map(orNull))
  }

  private def orNull(predicate: Predicate): Predicate = predicate match {
    case opposite if opposite.name == "<>" || opposite.isInstanceOf[Not] =>
      opposite.references.foldLeft(opposite)((wider, column) => new Or(wider, new Predicate("IS_NULL", Array(column))))
    case other => other
  }
}
