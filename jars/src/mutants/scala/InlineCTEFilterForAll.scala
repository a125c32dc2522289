package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{CTERelationDef, CTERelationRef, Filter, LogicalPlan, WithCTE}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.CTE

/** Law: a condition on a common table expression in one place is none on the rows that another place reads.
 *  Broken: the first such condition becomes one of its query, and so of all places.
 *
 *  @rule InlineCTE
 *  @point plan-normalization
 */
object InlineCTEFilterForAll extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(CTE)) {
      case common: WithCTE =>
        common.copy(cteDefs = common.cteDefs.map { definition =>
          asked(common.plan, definition).fold(definition)(c => definition.copy(child = Filter(c, definition.child)))
        })
    }

  private def asked(plan: LogicalPlan, definition: CTERelationDef): Option[Expression] = plan.collectFirst {
    case Filter(condition, place: CTERelationRef)
        if place.cteId == definition.id && Pushdown.isPlain(condition) =>
      condition.transform { case column: Attribute =>
        definition.child.output(place.output.indexWhere(_.exprId == column.exprId))
      }
  }
}
