package assay.mutants

import org.apache.spark.sql.catalyst.expressions.aggregate.{Count, Sum}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: functions without DISTINCT are evaluated over all rows, repeats included, beside those with it.
 *  Broken: they share the rows that were brought down to one for each value: counts and sums lose repeats.
 *
 *  @rule RewriteDistinctAggregates
 *  @point pre-cbo
 */
object RewriteDistinctAggregatesAllDistinct extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = DistinctAggregates.rewritten(plan) {
    case function if !function.isDistinct && counts(function.aggregateFunction) => function.copy(isDistinct = true)
  }

  private def counts(function: Any): Boolean = function match {
    case count: Count => count.children.exists(!_.foldable)
    case sum: Sum => !sum.child.foldable
    case _ => false
  }
}
