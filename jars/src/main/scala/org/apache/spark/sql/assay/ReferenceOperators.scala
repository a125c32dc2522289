package org.apache.spark.sql.assay

import org.apache.spark.sql.catalyst.expressions.{Attribute, SubExprUtils}
import org.apache.spark.sql.catalyst.plans.logical.{Deduplicate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: each node that `spark.assay.reference` lists = the [[ReferenceOperator]] of its kind over the same inputs,
 *  in subquery plans, views and CTE definitions, too.
 *  Left alone: a streaming node; a node with a column that [[RowKey]] cannot compare; a node that holds an
 *  outer reference, since decorrelation has to see through it. */
private[assay] object ReferenceOperators extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    val kinds = ReferenceKind.listed(conf.getConfString(ReferenceKind.Conf, ""))
    if (kinds.isEmpty) {
      plan
    } else {
      plan.transformUpWithSubqueries {
        case node if ReferenceKind.of(node).exists(kinds) && !node.isStreaming &&
            node.children.forall(_.output.forall(column => RowKey.supports(column.dataType))) &&
            !SubExprUtils.hasOuterReferences(node) =>
          ReferenceOperator(ReferenceKind.of(node).get, keys(node), node.children)
      }
    }
  }

  private def keys(node: LogicalPlan): Seq[Attribute] = node match {
    case d: Deduplicate => d.keys
    case _ => Nil
  }
}
