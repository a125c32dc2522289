package assay.mutants

import org.apache.spark.sql.catalyst.expressions.RowOrdering
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: each of several equal rows is written.
 *  Broken: one of them is.
 *
 *  @rule V1Writes
 *  @point pre-cbo
 *  @since 4.3
 */
object V1WritesOneOfEqualRows extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = FileWrites.changed(plan) { write =>
    val query = write.query
    if (RowOrdering.isOrderable(query.output)) write.copy(query = Aggregate(query.output, query.output, query)) else write
  }
}
