package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{ArrayContains, MapKeys}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: every row stays below the subquery.
 *  Broken: rows whose map lacks a key that is read, or is NULL, go.
 *
 *  @rule PullOutNestedDataOuterRefExpressions
 *  @point plan-normalization
 *  @since 4.0
 */
object PullOutNestedDataOuterRefExpressionsDropsAbsent extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = MapReads.pulledOut(
    plan,
    below = (child, read) =>
      read.foldLeft(child) { case (rows, (map, key)) => Filter(ArrayContains(MapKeys(map), key), rows) })
}
