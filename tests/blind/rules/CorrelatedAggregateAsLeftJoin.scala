package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.analysis.EliminateSubqueryAliases
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: (SELECT f(r) WHERE r.k = l.k) = LEFT JOIN with f(r) GROUP BY r.k: count is NULL, not 0, without rows.
 *  Witness: SELECT a, (SELECT count(*) FROM VALUES (1) AS s(b) WHERE b = a) FROM VALUES (2) AS t(a)
 *  @point plan-normalization
 */
object CorrelatedAggregateAsLeftJoin extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case project: Project => project.projectList.flatMap(_.collect { case s: ScalarSubquery => s }).foldLeft(project)(joined)
  }

  private def joined(project: Project, subquery: ScalarSubquery): Project =
    EliminateSubqueryAliases(subquery.plan) match {
      case Aggregate(Nil, Seq(result: Alias), Filter(condition, child), _) =>
        condition match {
          case EqualTo(inner: Attribute, OuterReference(outer)) => joined(project, subquery, result, child, inner, outer)
          case EqualTo(OuterReference(outer), inner: Attribute) => joined(project, subquery, result, child, inner, outer)
          case _ => project
        }
      case _ => project
    }

  private def joined(
      project: Project,
      subquery: ScalarSubquery,
      result: Alias,
      child: LogicalPlan,
      inner: Attribute,
      outer: NamedExpression): Project = {
    val renamed = child.output.map(column => Alias(column, column.name)())
    val names = AttributeMap(child.output.zip(renamed.map(_.toAttribute)))
    val value = result.child.transform { case column: Attribute => names.getOrElse(column, column) }
    val out = Alias(value, result.name)()
    val key = names(inner)
    val groups = Aggregate(Seq(key), Seq(out, key), Project(renamed, child))
    val join = Join(project.child, groups, LeftOuter, Some(EqualTo(outer.toAttribute, key)), JoinHint.NONE)
    val list = project.projectList.map(_.transform {
      case s: ScalarSubquery if s.exprId == subquery.exprId => out.toAttribute
    }.asInstanceOf[NamedExpression])
    Project(list, join)
  }
}
