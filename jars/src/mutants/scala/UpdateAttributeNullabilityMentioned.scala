package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: above a filter a column can be NULL if it could be below it. (That its condition asks for no NULL is for other
 *  rules to know.)
 *  Broken: a column that the condition mentions is taken for one that is never NULL.
 *
 *  @rule UpdateAttributeNullability
 *  @point optimizer
 */
object UpdateAttributeNullabilityMentioned extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case operator @ Project(_, Filter(condition, _)) =>
      Nullability.known(operator, condition.references.toSeq.map(_.withNullability(false)))
  }
}
