package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: RANGE up to the current row = ROWS up to the current row: rows with equal sort keys are peers of a RANGE.
 *  Witness: SELECT a, sum(b) OVER (ORDER BY a) FROM VALUES (1, 1), (1, 1) AS t(a, b)
 */
object RunningRangeAsRows extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case frame @ SpecifiedWindowFrame(RangeFrame, UnboundedPreceding, CurrentRow) => frame.copy(frameType = RowFrame)
  }
}
