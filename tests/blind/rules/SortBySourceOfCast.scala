package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: ORDER BY CAST(x AS t) = ORDER BY x: numbers as strings sort by their digits.
 *  Witness: SELECT a FROM VALUES (10), (9) AS t(a) ORDER BY CAST(a AS STRING) LIMIT 1
 */
object SortBySourceOfCast extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case sort: Sort => sort.copy(order = sort.order.map {
      case key @ SortOrder(Cast(x, _, _, _), _, _, _) if RowOrdering.isOrderable(x.dataType) => key.copy(child = x)
      case key => key
    })
  }
}
