package blind

import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: GROUP BY a literal = no GROUP BY at all: over no rows there is one row, where there was no group.
 *  Witness: SELECT count(*) FROM VALUES (1) AS t(a) WHERE a > 5 GROUP BY 'x'
 */
object LiteralGroupKeysGone extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case aggregate @ Aggregate(keys, _, _, _) if keys.nonEmpty && keys.forall(_.foldable) =>
      aggregate.copy(groupingExpressions = Nil)
  }
}
