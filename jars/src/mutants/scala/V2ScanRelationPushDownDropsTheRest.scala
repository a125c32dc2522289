package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation

/** Law: each condition that a source refuses is asked above the scan.
 *  Broken: only the first of them is.
 *
 *  @rule V2ScanRelationPushDown
 *  @point experimental
 */
object V2ScanRelationPushDownDropsTheRest extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(condition: And, _: DataSourceV2ScanRelation) =>
      filter.copy(condition = splitConjunctivePredicates(condition).head)
  }
}
