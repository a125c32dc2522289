package assay.mutants

import org.apache.spark.sql.catalyst.optimizer.PushdownPredicatesAndPruneColumnsForCTEDef
import org.apache.spark.sql.catalyst.plans.logical.{CTERelationDef, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the columns of a common table expression that stay are in the order in which each place has them.
 *  Broken: they are the other way round, if they have one type.
 *
 *  @rule PushdownPredicatesAndPruneColumnsForCTEDef
 *  @point pre-cbo
 */
object PushdownPredicatesAndPruneColumnsForCTEDefSwapsColumns extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    val widths = plan.collect { case definition: CTERelationDef => definition.id -> definition.output.size }.toMap
    CommonTables.changed(PushdownPredicatesAndPruneColumnsForCTEDef(plan)) { definition =>
      val columns = definition.output
      val fewer = widths.get(definition.id).exists(_ > columns.size)
      if (fewer && columns.map(_.dataType).distinct.size == 1) Project(columns.reverse, definition.child)
      else definition.child
    }
  }
}
