package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: WHERE p OR q = WHERE p UNION ALL WHERE q AND NOT p: loses rows with q whose p is NULL.
 *  Witness: SELECT a, b FROM VALUES (NULL, 1), (1, 1) AS t(a, b) WHERE a = 1 OR b = 1
 *  @point pre-cbo
 */
object OrAsUnionAll extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case Filter(condition @ Or(p, q), leaf: LeafNode)
        if condition.deterministic && !p.isInstanceOf[Or] && !SubqueryExpression.hasSubquery(condition) =>
      val renamed = leaf.output.map(column => Alias(column, column.name)())
      Union(Filter(p, leaf), Project(renamed, Filter(And(q, Not(p)), leaf)))
  }
}
