package assay.mutants

import org.apache.spark.sql.execution.{SortExec, SparkPlan}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

/** The parts that mutants of physical plans share. */
private[mutants] object Unshuffled {
  /** `plan` on the rows of each partition alone: without the shuffle that it would read, or sort. */
  def apply(plan: SparkPlan): SparkPlan = plan.withNewChildren(plan.children.map(below))

  private def below(plan: SparkPlan): SparkPlan = plan match {
    case shuffle: ShuffleExchangeLike => shuffle.child
    case sort: SortExec if !sort.global => apply(sort)
    case other => other
  }
}
