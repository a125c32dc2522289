package org.apache.spark.sql.assay

import org.apache.spark.sql.catalyst.expressions.{Attribute, SubqueryExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, SubqueryAlias, View}

/** The analyzed plan as a rule wants to see it: what only names things (SubqueryAlias, View, a Project
 *  that returns its child's columns) is gone, in subquery plans, too. The output keeps its columns, with
 *  their names, ids and order. */
private[assay] object CleanPlan {
  def apply(plan: LogicalPlan): LogicalPlan = plan.transformUpWithSubqueries {
    case alias: SubqueryAlias => alias.child
    case view: View => view.child
    case project @ Project(_, child) if sameColumns(project.projectList, child.output) => child
  }

  /** Runs `rule` over the cleaned plan, over each subquery's plan first (the plans of CTE definitions are
   *  children, which the rule reaches by itself): the cleaned plan before and after, if the rule changed
   *  anything. */
  val around: LogicalSwitch.Around = { (plan, rule) =>
    val cleaned = apply(plan)
    val result = everywhere(cleaned, rule)
    if (result.fastEquals(cleaned)) None else Some((cleaned, result))
  }

  private def everywhere(plan: LogicalPlan, rule: LogicalPlan => LogicalPlan): LogicalPlan =
    rule(plan.transformAllExpressions {
      case subquery: SubqueryExpression => subquery.withNewPlan(everywhere(subquery.plan, rule))
    })

  private def sameColumns(kept: Seq[Any], columns: Seq[Attribute]): Boolean =
    kept.size == columns.size && kept.zip(columns).forall {
      case (a: Attribute, b) => a.exprId == b.exprId && a.name == b.name && a.metadata == b.metadata
      case _ => false
    }
}
