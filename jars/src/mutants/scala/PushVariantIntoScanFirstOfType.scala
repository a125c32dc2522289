package assay.mutants

import org.apache.spark.sql.catalyst.expressions.GetStructField
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.{PushVariantIntoScan, VariantMetadata}
import org.apache.spark.sql.types.StructType

/** Law: each path that is read from a VARIANT has a field of its own in the struct that takes the VARIANT's place.
 *  Broken: paths that are read as one type share the first field of that type.
 *
 *  @rule PushVariantIntoScan
 *  @point pre-cbo
 *  @since 4.1
 */
object PushVariantIntoScanFirstOfType extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PushVariantIntoScan(plan).transformAllExpressions {
    case field @ GetStructField(variant, place, _) if VariantMetadata.isVariantStruct(variant.dataType) =>
      val fields = variant.dataType.asInstanceOf[StructType].fields
      field.copy(ordinal = fields.indexWhere(_.dataType == fields(place).dataType))
  }
}
