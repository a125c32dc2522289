package assay.mutants

import org.apache.spark.sql.catalyst.expressions.aggregate.Count
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `count(DISTINCT x, y)` counts pairs without NULL, a set of its own beside that of x.
 *  Broken: it is taken for the set of x.
 *
 *  @rule RewriteDistinctAggregates
 *  @point pre-cbo
 */
object RewriteDistinctAggregatesFirstArgument extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = DistinctAggregates.rewritten(plan) {
    case function if function.isDistinct && function.aggregateFunction.children.size > 1 =>
      function.aggregateFunction match {
        case count: Count => function.copy(aggregateFunction = Count(count.children.take(1)))
        case _ => function
      }
  }
}
