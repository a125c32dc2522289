package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Count, Sum}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.LongType

/** Law: the numbers of rows that a source counts in the parts of a table are added up.
 *  Broken: they are counted.
 *
 *  @rule V2ScanRelationPushDown
 *  @point experimental
 */
object V2ScanRelationPushDownCountsParts extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case aggregate: Aggregate if V2Scans.under(aggregate.child).exists(V2Scans.says(_, "of each split")) =>
      aggregate.transformExpressions { case call @ AggregateExpression(sum: Sum, _, _, _, _) =>
        sum.child match {
          case counts: Attribute if counts.dataType == LongType && !counts.nullable =>
            call.copy(aggregateFunction = Count(Seq(counts)))
          case _ => call
        }
      }
  }
}
