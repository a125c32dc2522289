package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a filter above a map is of the objects that the map makes.
 *  Broken: of those that it takes.
 *
 *  @rule EliminateSerialization
 *  @point optimizer
 *  @since 4.3
 */
object EliminateSerializationFiltersBefore extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ TypedFilter(_, _, _, _, rows @ SerializeFromObject(_, map: MapElements))
        if filter.deserializer.dataType == map.child.output.head.dataType =>
      rows.copy(child = map.copy(child = filter.withObjectProducerChild(map.child)))
  }
}
