package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{GetStructField, ScalarSubquery}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.SCALAR_SUBQUERY
import org.apache.spark.sql.execution.planmerging.MergeSubplans
import org.apache.spark.sql.types.StructType

/** Law: each value is read from its own column of the merged row.
 *  Broken: it is read from the first column of its type.
 *
 *  @rule MergeSubplans
 *  @point experimental
 *  @since 4.3
 */
object MergeSubplansFirstOfItsType extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    MergeSubplans(plan).transformAllExpressionsWithPruning(_.containsPattern(SCALAR_SUBQUERY)) {
      case read @ GetStructField(value: ScalarSubquery, place, _) =>
        value.dataType match {
          case row: StructType if value.plan.output.head.name == "mergedValue" =>
            read.copy(ordinal = row.fields.indexWhere(_.dataType == row.fields(place).dataType))
          case _ => read
        }
    }
}
