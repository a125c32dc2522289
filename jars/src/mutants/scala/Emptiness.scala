package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan}

/** Relations that are known to have no rows. */
private[mutants] object Emptiness {

  /** Whether `plan` is one. */
  def holds(plan: LogicalPlan): Boolean = plan match {
    case local: LocalRelation => local.data.isEmpty
    case _ => false
  }

  /** One with the columns of `plan`. */
  def of(plan: LogicalPlan): LocalRelation = LocalRelation(plan.output, Nil, plan.isStreaming)
}
