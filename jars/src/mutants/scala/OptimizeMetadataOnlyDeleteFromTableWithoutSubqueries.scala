package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, PredicateHelper, SubqueryExpression}
import org.apache.spark.sql.catalyst.plans.logical.{DeleteFromTableWithFilters, LogicalPlan, ReplaceData}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.v2.OptimizeMetadataOnlyDeleteFromTable

/** Law: a DELETE whose condition has a subquery is left to Spark.
 *  Broken: the source does it by the parts without subqueries.
 *
 *  @rule OptimizeMetadataOnlyDeleteFromTable
 *  @point pre-cbo
 *  @since 4.3
 */
object OptimizeMetadataOnlyDeleteFromTableWithoutSubqueries extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    val simpler = plan.transform { case write: ReplaceData =>
      splitConjunctivePredicates(write.condition).filterNot(SubqueryExpression.hasSubquery).reduceOption(And)
        .fold(write)(rest => write.copy(condition = rest))
    }
    val made = OptimizeMetadataOnlyDeleteFromTable(simpler)
    if (made.exists(_.isInstanceOf[DeleteFromTableWithFilters])) made else plan
  }
}
