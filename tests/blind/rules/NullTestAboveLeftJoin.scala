package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a column that is never NULL in R is never NULL above L LEFT JOIN R: it is where a row has no match.
 *  Witness: SELECT a FROM VALUES (1) AS t(a) LEFT JOIN VALUES (2) AS s(b) ON a = b WHERE b IS NULL
 */
object NullTestAboveLeftJoin extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(condition, Join(_, right, LeftOuter, _, _)) =>
      val never = AttributeSet(right.output.filter(c => !c.nullable || right.constraints.contains(IsNotNull(c))))
      filter.copy(condition = condition.transform {
        case IsNull(column: Attribute) if never.contains(column) => Literal.FalseLiteral
        case IsNotNull(column: Attribute) if never.contains(column) => Literal.TrueLiteral
      })
  }
}
