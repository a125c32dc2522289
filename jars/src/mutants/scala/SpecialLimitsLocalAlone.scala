package assay.mutants

import org.apache.spark.sql.catalyst.expressions.IntegerLiteral
import org.apache.spark.sql.catalyst.plans.logical.{Limit, LogicalPlan, ReturnAnswer}
import org.apache.spark.sql.execution.{LocalLimitExec, SparkPlan, SparkStrategy}

/** Law: a limit counts the rows of all partitions, whoever collects them.
 *  Broken: it counts those of each partition.
 *
 *  @rule SpecialLimits
 *  @shape LimitPushDown
 *  @point planner-strategy
 */
object SpecialLimitsLocalAlone extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case ReturnAnswer(limit) => apply(limit)
    case Limit(IntegerLiteral(count), child) => Seq(LocalLimitExec(count, planLater(child)))
    case _ => Nil
  }
}
