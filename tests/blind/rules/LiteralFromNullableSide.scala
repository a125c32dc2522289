package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a literal column of R is that literal above L LEFT JOIN R: NULL where a row has no match.
 *  Witness: SELECT a, c FROM VALUES (1) AS t(a) LEFT JOIN (SELECT b, 'x' AS c FROM VALUES (2) AS s(b)) ON a = b
 */
object LiteralFromNullableSide extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case project @ Project(list, Join(_, Project(columns, _), LeftOuter, _, _)) =>
      val literals = AttributeMap(columns.collect { case a @ Alias(l: Literal, _) => a.toAttribute -> l })
      val replaced = list.map {
        case a: Attribute if literals.contains(a) => Alias(literals(a), a.name)(a.exprId, a.qualifier)
        case other => other.transform {
          case a: Attribute if literals.contains(a) => literals(a)
        }.asInstanceOf[NamedExpression]
      }
      if (literals.isEmpty) project else project.copy(projectList = replaced)
  }
}
