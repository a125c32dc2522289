package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{IntegerLiteral, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{Limit, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LIMIT

/** Law: of two limits, one right over the other, the lesser number counts.
 *  Broken: the greater one does.
 *
 *  @rule EliminateLimits
 *  @point optimizer
 */
object EliminateLimitsGreater extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LIMIT)) {
      case Limit(IntegerLiteral(upper), Limit(IntegerLiteral(lower), child)) =>
        Limit(Literal(math.max(upper, lower)), child)
    }
}
