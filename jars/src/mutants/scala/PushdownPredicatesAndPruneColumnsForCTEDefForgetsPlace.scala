package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Or
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a place without a condition needs all rows of a common table expression.
 *  Broken: only places with a condition count.
 *
 *  @rule PushdownPredicatesAndPruneColumnsForCTEDef
 *  @point pre-cbo
 */
object PushdownPredicatesAndPruneColumnsForCTEDefForgetsPlace extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = CommonTables.changed(plan) { definition =>
    val asked = CommonTables.conditions(plan, definition)
    asked.reduceOption(Or(_, _)).fold(definition.child)(Filter(_, definition.child))
  }
}
