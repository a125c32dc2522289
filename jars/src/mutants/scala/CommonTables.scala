package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeMap, Expression}
import org.apache.spark.sql.catalyst.optimizer.PushdownPredicatesAndPruneColumnsForCTEDef
import org.apache.spark.sql.catalyst.plans.logical.{CTERelationDef, CTERelationRef, Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.CTE

/** Common table expressions that stay, with what the places that read them need. */
private[mutants] object CommonTables {

  /** `plan` with another query in each definition. */
  def changed(plan: LogicalPlan)(change: CTERelationDef => LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(CTE)) {
      case definition: CTERelationDef =>
        definition.copy(child = change(definition), originalPlanWithPredicates = None)
    }

  /** `plan` as the rule makes it, but with each of the conditions that it pushed, and the query below them, as `below`
   *  puts them together; `below` gets the conditions of the places, too.
   */
  def pushed(plan: LogicalPlan)(below: (Expression, Seq[Expression], LogicalPlan) => LogicalPlan): LogicalPlan =
    changed(PushdownPredicatesAndPruneColumnsForCTEDef(plan)) { definition =>
      (definition.originalPlanWithPredicates, definition.child) match {
        case (Some((_, conditions)), Filter(any, rows)) => below(any, conditions, rows)
        case (_, rows) => rows
      }
    }

  /** The condition of each filter right over a place that reads `definition`, as one over that; not of subqueries. */
  def conditions(plan: LogicalPlan, definition: CTERelationDef): Seq[Expression] = plan.collect {
    case Filter(condition, place: CTERelationRef)
        if place.cteId == definition.id && Pushdown.isPlain(condition) =>
      val columns = AttributeMap(place.output.zip(definition.output))
      condition.transform { case column: Attribute => columns(column) }
  }
}
