package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a filter over UNION ALL runs in each branch on the column of that name: it is the column in that place.
 *  Witness: SELECT a FROM (SELECT a, b FROM VALUES (1, 2) AS t(a, b) UNION ALL SELECT b, a FROM VALUES (3, 4) AS s(a, b)) WHERE a > 3
 *  @point plan-normalization
 */
object UnionFilterByName extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(condition, union: Union) if condition.deterministic =>
      val branches = union.children.map { branch =>
        val columns = condition.references.toSeq.flatMap { column =>
          branch.output.find(own => own.name == column.name && own.dataType == column.dataType).map(column -> _)
        }
        val sources = AttributeMap(columns)
        if (condition.references.forall(sources.contains)) {
          Some(Filter(condition.transform { case column: Attribute => sources(column) }, branch))
        } else {
          None
        }
      }
      if (branches.forall(_.isDefined)) union.copy(children = branches.flatten) else filter
  }
}
