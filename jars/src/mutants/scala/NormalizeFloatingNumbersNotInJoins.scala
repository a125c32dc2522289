package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a join by DOUBLE compares bits, so that its keys are normalized first.
 *  Broken: they aren't, and 0.0 doesn't meet -0.0.
 *
 *  @rule NormalizeFloatingNumbers
 *  @point experimental
 */
object NormalizeFloatingNumbersNotInJoins extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case join: Join => join.copy(condition = join.condition.map(Normalized.undone))
  }
}
