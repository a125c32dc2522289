package org.apache.spark.sql.assay

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeMap, LateralSubquery, SubqueryExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LateralJoin, LogicalPlan, Project, SubqueryAlias, View}
import org.apache.spark.sql.catalyst.trees.TreePattern.LATERAL_JOIN

/** The analyzed plan as a rule wants to see it: what only names things (SubqueryAlias, View, a Project
 *  that returns its child's columns) is gone, in subquery plans, too. The output keeps its columns, with
 *  their names, ids and order. */
private[assay] object CleanPlan {
  def apply(plan: LogicalPlan): LogicalPlan = plan.transformUpWithSubqueries {
    case alias: SubqueryAlias => alias.child
    case view: View => view.child
    case project @ Project(_, child) if sameColumns(project.projectList, child.output) => child
  }

  /** Runs a rule over the cleaned plan, over each subquery's plan first (the plans of CTE definitions are
   *  children, which the rule reaches by itself). Its result isn't cleaned before the rule is asked whether it would
   *  change that: an empty projection may be what the rule made. */
  object Around extends LogicalSwitch.Around {
    override def apply(plan: LogicalPlan, rule: LogicalPlan => LogicalPlan): Option[(LogicalPlan, LogicalPlan)] = {
      val cleaned = CleanPlan(plan)
      val result = everywhere(cleaned, rule)
      if (result.fastEquals(cleaned)) None else Some((cleaned, result))
    }

    override def changesAgain(result: LogicalPlan, rule: LogicalPlan => LogicalPlan): Boolean =
      !everywhere(result, rule).fastEquals(result)
  }

  private def everywhere(plan: LogicalPlan, rule: LogicalPlan => LogicalPlan): LogicalPlan =
    rule(inLateral(plan, rule).transformAllExpressions {
      case subquery: SubqueryExpression if !subquery.isInstanceOf[LateralSubquery] =>
        subquery.withNewPlan(everywhere(subquery.plan, rule))
    })

  /** Runs `rule` over what `plan` joins with LATERAL. Its columns are seen from outside: where a rule answers others for
   *  them, as it may at a plan's root, whoever reads them is told. */
  private def inLateral(plan: LogicalPlan, rule: LogicalPlan => LogicalPlan): LogicalPlan =
    if (!plan.containsPattern(LATERAL_JOIN)) plan else plan.transformUpWithNewOutput {
      case join: LateralJoin =>
        val right = join.right.withNewPlan(everywhere(join.right.plan, rule))
        val columns = AttributeMap(join.right.plan.output.zip(right.plan.output))
        val condition = join.condition.map(_.transform { case column: Attribute => columns.getOrElse(column, column) })
        val made = join.copy(right = right.asInstanceOf[LateralSubquery], condition = condition)
        made -> join.output.zip(made.output)
    }

  private def sameColumns(kept: Seq[Any], columns: Seq[Attribute]): Boolean =
    kept.size == columns.size && kept.zip(columns).forall {
      case (a: Attribute, b) => a.exprId == b.exprId && a.name == b.name && a.metadata == b.metadata
      case _ => false
    }
}
