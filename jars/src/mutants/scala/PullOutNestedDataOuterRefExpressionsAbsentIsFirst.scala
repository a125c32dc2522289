package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{ArrayContains, GetArrayItem, GetMapValue, If, Literal, MapKeys, MapValues}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the read of a key that the map lacks is NULL.
 *  Broken: it is the first value of the map.
 *
 *  @rule PullOutNestedDataOuterRefExpressions
 *  @point plan-normalization
 *  @since 4.0
 */
object PullOutNestedDataOuterRefExpressionsAbsentIsFirst extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = MapReads.pulledOut(
    plan,
    value = (map, key) => {
      val first = GetArrayItem(MapValues(map), Literal(0), failOnError = false)
      If(ArrayContains(MapKeys(map), key), GetMapValue(map, key), first)
    })
}
