package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{DeserializeToObject, LogicalPlan, TypedFilter}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a filter below a map stays, of objects.
 *  Broken: it goes.
 *
 *  @rule EliminateSerialization
 *  @point optimizer
 *  @since 4.3
 */
object EliminateSerializationForgetsFilter extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case map @ DeserializeToObject(_, _, filter: TypedFilter)
        if map.outputObjAttr.dataType == filter.deserializer.dataType => map.copy(child = filter.child)
  }
}
