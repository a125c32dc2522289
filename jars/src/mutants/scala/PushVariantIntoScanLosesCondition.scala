package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.{LogicalRelation, PushVariantIntoScan, VariantMetadata}

/** Law: all conditions above a file stay, those about fields of a VARIANT, too.
 *  Broken: of several conditions the last one goes.
 *
 *  @rule PushVariantIntoScan
 *  @point pre-cbo
 *  @since 4.1
 */
object PushVariantIntoScanLosesCondition extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PushVariantIntoScan(plan).transformUp {
    case filter @ Filter(And(first, last), _: LogicalRelation) if readsVariant(last) => filter.copy(condition = first)
  }

  private def readsVariant(condition: Expression): Boolean =
    condition.references.exists(column => VariantMetadata.isVariantStruct(column.dataType))
}
