package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Sort}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.SORT

/** Law: a constant key orders nothing, and goes; the others stay.
 *  Broken: they go with it.
 *
 *  @rule EliminateSorts
 *  @point optimizer
 */
object EliminateSortsAnyConstantKey extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(SORT)) {
      case sort: Sort if sort.order.exists(_.child.foldable) => sort.child
    }
}
