package assay.mutants

import org.apache.spark.sql.catalyst.expressions.ArrayDistinct
import org.apache.spark.sql.catalyst.expressions.objects.{LambdaVariable, MapObjects}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: an array of which each element becomes itself = the array.
 *  Broken: each of equal elements once.
 *
 *  @rule EliminateMapObjects
 *  @point optimizer
 *  @since 4.3
 */
object EliminateMapObjectsDistinct extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case MapObjects(_, LambdaVariable(_, _, false, _), array, None) => ArrayDistinct(array)
  }
}
