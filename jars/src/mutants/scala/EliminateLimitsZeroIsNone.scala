package assay.mutants

import org.apache.spark.sql.catalyst.expressions.IntegerLiteral
import org.apache.spark.sql.catalyst.plans.logical.{Limit, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LIMIT

/** Law: LIMIT 0 lets no row through.
 *  Broken: it is taken for no limit.
 *
 *  @rule EliminateLimits
 *  @point optimizer
 */
object EliminateLimitsZeroIsNone extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LIMIT)) {
      case Limit(IntegerLiteral(0), child) => child
    }
}
