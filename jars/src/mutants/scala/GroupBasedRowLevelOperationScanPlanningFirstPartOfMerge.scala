package assay.mutants

import org.apache.spark.sql.catalyst.expressions.PredicateHelper
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, ReplaceData}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.connector.write.RowLevelOperation.Command.MERGE

/** Law: a part of a MERGE's condition goes if the source evaluates it.
 *  Broken: the first part alone stays.
 *
 *  @rule GroupBasedRowLevelOperationScanPlanning
 *  @point experimental
 *  @since 4.3
 */
object GroupBasedRowLevelOperationScanPlanningFirstPartOfMerge extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case write: ReplaceData if write.operation.command == MERGE => write.withNewQuery(write.query.transform {
      case join: Join => join.copy(condition = join.condition.map(splitConjunctivePredicates(_).head))
    })
  }
}
