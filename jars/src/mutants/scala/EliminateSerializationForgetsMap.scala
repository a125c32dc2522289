package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Alias
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: what a map makes is handed to the map above it.
 *  Broken: what it takes is.
 *
 *  @rule EliminateSerialization
 *  @point optimizer
 *  @since 4.3
 */
object EliminateSerializationForgetsMap extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case upper @ DeserializeToObject(_, _, SerializeFromObject(_, lower: MapElements))
        if upper.outputObjAttr.dataType == lower.child.output.head.dataType =>
      val one = lower.child.output.head
      Project(Alias(one, one.name)(exprId = upper.outputObjAttr.exprId) :: Nil, lower.child)
  }
}
