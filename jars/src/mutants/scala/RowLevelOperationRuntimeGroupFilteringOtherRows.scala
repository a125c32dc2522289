package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Not
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the keys are those of the rows that the statement changes.
 *  Broken: those of the rows that stay as they are.
 *
 *  @rule RowLevelOperationRuntimeGroupFiltering
 *  @point experimental
 *  @since 4.3
 */
object RowLevelOperationRuntimeGroupFilteringOtherRows extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = GroupFilters.under(plan)(Not(_))
}
