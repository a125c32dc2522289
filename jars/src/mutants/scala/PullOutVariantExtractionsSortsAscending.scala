package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Ascending, NullsFirst}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Sort}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a sort by a path that is pulled out keeps its direction and the place of NULL.
 *  Broken: it is ascending, with NULL first.
 *
 *  @rule PullOutVariantExtractions
 *  @point pre-cbo
 *  @since 4.3
 */
object PullOutVariantExtractionsSortsAscending extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    PulledOut(plan) {
      case sort: Sort =>
        sort.copy(order = sort.order.map { key =>
          if (key.references.exists(PulledOut.made)) key.copy(direction = Ascending, nullOrdering = NullsFirst) else key
        })
    }
}
