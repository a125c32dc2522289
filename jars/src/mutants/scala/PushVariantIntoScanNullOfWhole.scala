package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, GetStructField, IsNotNull, IsNull}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.{PushVariantIntoScan, VariantMetadata}

/** Law: a field of a VARIANT may be NULL in a row whose VARIANT is not.
 *  Broken: whether a field is NULL is asked of the struct that takes the VARIANT's place.
 *
 *  @rule PushVariantIntoScan
 *  @point pre-cbo
 *  @since 4.1
 */
object PushVariantIntoScanNullOfWhole extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PushVariantIntoScan(plan).transformAllExpressions {
    case IsNull(OfVariant(struct)) => IsNull(struct)
    case IsNotNull(OfVariant(struct)) => IsNotNull(struct)
  }

  private object OfVariant {
    def unapply(field: Expression): Option[Expression] = field match {
      case GetStructField(struct, _, _) if VariantMetadata.isVariantStruct(struct.dataType) => Some(struct)
      case _ => None
    }
  }
}
