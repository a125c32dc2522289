package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Literal.TrueLiteral
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, OverwriteByExpression}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: an overwriting INSERT keeps the rows for which its condition isn't true.
 *  Broken: it takes away all rows.
 *
 *  @rule V2Writes
 *  @point pre-cbo
 *  @since 4.3
 */
object V2WritesTruncates extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case write: OverwriteByExpression if write.write.isEmpty => write.copy(deleteExpr = TrueLiteral)
  }
}
