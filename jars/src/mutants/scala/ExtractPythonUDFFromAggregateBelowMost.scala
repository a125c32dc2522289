package assay.mutants

import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, AggregateFunction, Max, Min}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a call over an aggregate is evaluated after it.
 *  Broken: before the greatest or the least value is found, as if every function kept the order of its operands.
 *
 *  @rule ExtractPythonUDFFromAggregate
 *  @point pre-cbo
 */
object ExtractPythonUDFFromAggregateBelowMost extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    PythonCalls.ofGroups(plan)(Function.unlift { call =>
      call.children match {
        case Seq(found @ AggregateExpression(most @ (_: Max | _: Min), _, _, _, _)) =>
          val below = most.withNewChildren(Seq(call.withNewChildren(most.children)))
          Some(found.copy(aggregateFunction = below.asInstanceOf[AggregateFunction]))
        case _ => None
      }
    })
}
