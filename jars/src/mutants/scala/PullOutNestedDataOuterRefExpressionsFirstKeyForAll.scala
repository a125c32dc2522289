package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: each key that is read has a column of its own.
 *  Broken: all reads of a map share the column of the first.
 *
 *  @rule PullOutNestedDataOuterRefExpressions
 *  @point plan-normalization
 *  @since 4.0
 */
object PullOutNestedDataOuterRefExpressionsFirstKeyForAll extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = MapReads.pulledOut(plan, same = (map, _) => map)
}
