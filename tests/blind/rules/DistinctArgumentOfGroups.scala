package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: f(DISTINCT x) over groups of x = f(x): wrong where x is only one of the keys.
 *  Witness: SELECT sum(DISTINCT a), sum(n) FROM (SELECT a, b, count(*) AS n FROM VALUES (1, 1), (1, 2) AS t(a, b) GROUP BY a, b)
 */
object DistinctArgumentOfGroups extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case upper @ Aggregate(_, _, child, _) =>
      val keys = groupKeys(child)
      upper.transformExpressions {
        case f @ AggregateExpression(function, _, true, _, _) if function.children.forall(isOneOf(keys, _)) =>
          f.copy(isDistinct = false)
      }
  }

  private def groupKeys(plan: LogicalPlan): Seq[Attribute] = plan match {
    case Aggregate(keys, output, _, _) => output.collect { case a: Attribute if isOneOf(keys, a) => a }
    case Project(list, child) => list.collect { case a: Attribute if isOneOf(groupKeys(child), a) => a }
    case Filter(_, child) => groupKeys(child)
    case _ => Nil
  }

  private def isOneOf(keys: Seq[Expression], e: Expression): Boolean = keys.exists(_.semanticEquals(e))
}
