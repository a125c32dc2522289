package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Limit, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the conditions on a common table expression are about its rows, which its limit has chosen.
 *  Broken: the limit chooses among the rows for which they are true.
 *
 *  @rule PushdownPredicatesAndPruneColumnsForCTEDef
 *  @point pre-cbo
 */
object PushdownPredicatesAndPruneColumnsForCTEDefBelowLimit extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = CommonTables.pushed(plan) { (condition, _, rows) =>
    below(condition, rows)
  }

  private def below(condition: Expression, rows: LogicalPlan): LogicalPlan = rows match {
    case Limit(count, all) => Limit(count, below(condition, all))
    case Project(columns, all)
        if columns.forall(_.deterministic) && condition.references.subsetOf(all.outputSet) =>
      Project(columns, below(condition, all))
    case other => Filter(condition, other)
  }
}
