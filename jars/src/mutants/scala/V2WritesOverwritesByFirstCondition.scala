package assay.mutants

import org.apache.spark.sql.catalyst.expressions.PredicateHelper
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, OverwriteByExpression}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: an overwriting INSERT takes away the rows for which all parts of its condition are true.
 *  Broken: those for which the first part is.
 *
 *  @rule V2Writes
 *  @point pre-cbo
 *  @since 4.3
 */
object V2WritesOverwritesByFirstCondition extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case write: OverwriteByExpression if write.write.isEmpty =>
      write.copy(deleteExpr = splitConjunctivePredicates(write.deleteExpr).head)
  }
}
