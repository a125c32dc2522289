package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a row of a common table expression stays if it is needed in any place, by that place's condition.
 *  Broken: if it is needed in every place.
 *
 *  @rule PushdownPredicatesAndPruneColumnsForCTEDef
 *  @point pre-cbo
 */
object PushdownPredicatesAndPruneColumnsForCTEDefEveryCondition extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = CommonTables.pushed(plan) { (_, conditions, rows) =>
    Pushdown.filtered(conditions, rows)
  }
}
