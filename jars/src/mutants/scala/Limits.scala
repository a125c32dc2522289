package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, IntegerLiteral}
import org.apache.spark.sql.catalyst.plans.logical.{LocalLimit, LogicalPlan}

/** Limits below other operators. */
private[mutants] object Limits {

  /** `plan` with at most `count` rows in each partition; `plan` itself where that is known of it. */
  def capped(count: Expression, plan: LogicalPlan): LogicalPlan = (count, plan.maxRowsPerPartition) match {
    case (IntegerLiteral(most), Some(known)) if known <= most => plan
    case _ => LocalLimit(count, plan)
  }
}
