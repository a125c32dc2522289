package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{If, IsNaN, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: every NaN is normalized to one NaN, which is equal to itself.
 *  Broken: as in IEEE's comparison it meets nothing: the key of a join is NULL for it.
 *
 *  @rule NormalizeFloatingNumbers
 *  @point experimental
 */
object NormalizeFloatingNumbersNaNIsNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case join: Join => join.copy(condition = join.condition.map(_.transformUp {
      case known @ Normalized(number) => If(IsNaN(number), Literal(null, number.dataType), known)
    }))
  }
}
