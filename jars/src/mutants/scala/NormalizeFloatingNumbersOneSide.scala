package assay.mutants

import org.apache.spark.sql.catalyst.expressions.EqualTo
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: both sides of a join's equality are normalized.
 *  Broken: the left one alone.
 *
 *  @rule NormalizeFloatingNumbers
 *  @point experimental
 */
object NormalizeFloatingNumbersOneSide extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case join: Join => join.copy(condition = join.condition.map(_.transform {
      case EqualTo(left, right) => EqualTo(left, Normalized.undone(right))
    }))
  }
}
