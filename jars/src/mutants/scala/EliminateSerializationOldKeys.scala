package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the keys of groups above a map are those of the objects that it makes.
 *  Broken: of those that it takes.
 *
 *  @rule EliminateSerialization
 *  @point optimizer
 *  @since 4.3
 */
object EliminateSerializationOldKeys extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case keys @ AppendColumns(_, _, _, _, _, SerializeFromObject(columns, map: MapElements))
        if keys.deserializer.dataType == map.child.output.head.dataType =>
      AppendColumnsWithObject(keys.func, columns, keys.serializer, map.child)
  }
}
