package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: two windows with the same partition keys are one: not where their orders differ.
 *  Witness: SELECT a, row_number() OVER (ORDER BY a), row_number() OVER (ORDER BY b) FROM VALUES (1, 2), (2, 1) AS t(a, b)
 */
object WindowsOfOnePartition extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case upper @ Window(above, keys, order, lower: Window, _)
        if keys == lower.partitionSpec && order.nonEmpty && lower.orderSpec.nonEmpty &&
          AttributeSet(above.flatMap(_.references)).intersect(lower.windowOutputSet).isEmpty =>
      upper.copy(windowExpressions = lower.windowExpressions ++ above, child = lower.child)
  }
}
