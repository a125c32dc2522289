package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of rows that are equal in keys and values one is enough if no function has a FILTER. With one a value counts if
 *  any of its rows passes.
 *  Broken: it counts if the first of its rows does.
 *
 *  @rule OptimizeExpand
 *  @point pre-cbo
 *  @since 4.2
 */
object OptimizeExpandFirstFiltered extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = RowsOnce.rewritten(plan) { groups =>
    val functions = RowsOnce.functions(groups)
    if (functions.forall(_.isDistinct) && functions.exists(_.filter.isDefined)) {
      RowsOnce.each(groups, RowsOnce.columns(groups, groups.groupingExpressions ++ RowsOnce.sets(groups).flatten))
    } else {
      None
    }
  }
}
