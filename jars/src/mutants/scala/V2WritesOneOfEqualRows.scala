package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan, RepartitionByExpression, V2WriteCommand}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: equal rows are dealt out to the same task, and each of them is written.
 *  Broken: one of them is.
 *
 *  @rule V2Writes
 *  @point experimental
 *  @since 4.3
 */
object V2WritesOneOfEqualRows extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case write: V2WriteCommand => write.withNewQuery(write.query.transform {
      case dealt: RepartitionByExpression if !dealt.child.isInstanceOf[Aggregate] => dealt.copy(child = Aggregate(dealt.output, dealt.output, dealt.child))
    })
  }
}
