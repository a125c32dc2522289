package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a common table expression that numbers its rows numbers all of them, whichever are read.
 *  Broken: it numbers those for which the conditions of the places are true.
 *
 *  @rule PushdownPredicatesAndPruneColumnsForCTEDef
 *  @point pre-cbo
 */
object PushdownPredicatesAndPruneColumnsForCTEDefBelowNumbers extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = CommonTables.pushed(plan) { (condition, _, rows) =>
    below(condition, rows)
  }

  private def below(condition: Expression, rows: LogicalPlan): LogicalPlan = rows match {
    case Project(columns, all) if condition.references.subsetOf(all.outputSet) =>
      Project(columns, below(condition, all))
    case other => Filter(condition, other)
  }
}
