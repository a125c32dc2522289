package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the columns of the two windows come back in their places.
 *  Broken: they are in those that the windows have now, as far as the types allow it.
 *
 *  @rule TransposeWindow
 *  @point optimizer
 */
object TransposeWindowColumnsByPlace extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformUpWithNewOutput {
      case WindowPairs(upper, lower)
          if WindowPairs.areFewer(upper.partitionSpec, lower.partitionSpec) &&
            upper.windowExpressions.map(_.dataType) == lower.windowExpressions.map(_.dataType) =>
        val turned = lower.copy(child = upper.copy(child = lower.child))
        Output.as(upper.output, turned.output, turned)
    }
}
