package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Limit, LogicalPlan, Project, Sort}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a filter that stands above a limit, or above numbers of rows, may go, but may not go down.
 *  Broken: it is moved down to the table.
 *
 *  @rule CleanupDynamicPruningFilters
 *  @point experimental
 */
object CleanupDynamicPruningFiltersMovesIt extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PrunedSides.cleaned(plan) { (join, keys, rows) =>
    PrunedSides.over(below(keys, rows), join)
  }

  private def below(keys: Expression, rows: LogicalPlan): LogicalPlan = rows match {
    case Limit(count, all) => Limit(count, below(keys, all))
    case sort: Sort => sort.copy(child = below(keys, sort.child))
    case Project(columns, all) if keys.references.subsetOf(all.outputSet) => Project(columns, below(keys, all))
    case Filter(condition, all) => Filter(condition, below(keys, all))
    case other => Filter(keys, other)
  }
}
