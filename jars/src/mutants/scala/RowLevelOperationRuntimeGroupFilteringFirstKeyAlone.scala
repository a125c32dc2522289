package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.plans.logical.{Limit, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a group is read if its key is that of any row for which the condition is true.
 *  Broken: if it is that of the first one.
 *
 *  @rule RowLevelOperationRuntimeGroupFiltering
 *  @point experimental
 *  @since 4.3
 */
object RowLevelOperationRuntimeGroupFilteringFirstKeyAlone extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = GroupFilters.changed(plan) { (keys, _) =>
    keys.copy(query = keys.query.withNewPlan(Limit(Literal(1), keys.query.plan)))
  }
}
