package assay.mutants

import org.apache.spark.sql.catalyst.expressions.IntegerLiteral
import org.apache.spark.sql.catalyst.plans.logical.{Limit, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LIMIT

/** Law: a limit goes where its input has no more rows than it lets through.
 *  Broken: it goes where there may be one more.
 *
 *  @rule EliminateLimits
 *  @point optimizer
 */
object EliminateLimitsOneTooMany extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LIMIT)) {
      case Limit(IntegerLiteral(count), child) if child.maxRows.exists(_ <= count + 1) => child
    }
}
