package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Expression, IsNotNull}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a row with NULL in one set has values of the others.
 *  Broken: rows with NULL in any set are gone.
 *
 *  @rule OptimizeExpand
 *  @point pre-cbo
 *  @since 4.2
 */
object OptimizeExpandDropsNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = RowsOnce.rewritten(plan) { groups =>
    val values = RowsOnce.columns(groups, RowsOnce.sets(groups).flatten)
    if (values.nonEmpty && RowsOnce.distinctAlone(groups)) {
      val complete = values.map(value => IsNotNull(value): Expression).reduce[Expression](And(_, _))
      val by = RowsOnce.columns(groups, groups.groupingExpressions ++ RowsOnce.sets(groups).flatten)
      RowsOnce.each(groups.copy(child = Filter(complete, groups.child)), by)
    } else {
      None
    }
  }
}
