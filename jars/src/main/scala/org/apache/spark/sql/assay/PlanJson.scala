package org.apache.spark.sql.assay

import org.apache.spark.sql.catalyst.expressions.{Alias, In, InSet, Literal}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.LogicalRDD

/** Logical plans as Catalyst's JSON, with what that leaves out: above a table in memory stands a SubqueryAlias with its
 *  name, above a Generate a projection that lists the columns that it keeps of its input, an InSet is an In, and rows of
 *  the plan itself are projections of literals, put together by a Union; of no rows, a row of NULL that a filter takes
 *  away. */
private[assay] object PlanJson {
  def of(plan: LogicalPlan): String = plan.transformUp {
    case table: LogicalRDD => SubqueryAlias(table.rdd.name, table)
    case generate: Generate => Project(generate.requiredChildOutput, generate)
    case local: LocalRelation if local.data.isEmpty => Filter(Literal(false), row(local, _ => null))
    case local: LocalRelation =>
      val rows = local.data.map(each => row(local, place => each.get(place, local.output(place).dataType)))
      if (rows.size == 1) rows.head else Union(rows)
  }.transformAllExpressions { case InSet(child, values) =>
    In(child, values.toSeq.map(Literal(_, child.dataType)))
  }.toJSON

  private def row(local: LocalRelation, value: Int => Any): LogicalPlan = Project(
    local.output.zipWithIndex.map { case (column, place) =>
      Alias(Literal(value(place), column.dataType), column.name)(column.exprId)
    }, OneRowRelation())
}
