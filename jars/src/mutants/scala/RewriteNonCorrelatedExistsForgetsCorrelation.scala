package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Exists, IsNotNull, Literal, OuterReference, ScalarSubquery}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Limit, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: EXISTS has one answer for all rows if its subquery names none of their columns.
 *  Broken: if it names some in a filter as well, which is left out.
 *
 *  @rule RewriteNonCorrelatedExists
 *  @point plan-normalization
 */
object RewriteNonCorrelatedExistsForgetsCorrelation extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Replaced.expressions(plan) {
    case exists: Exists if exists.children.nonEmpty && !correlated(alone(exists.plan)) =>
      val one = Project(Seq(Alias(Literal(1), "one")()), alone(exists.plan))
      IsNotNull(ScalarSubquery(Limit(Literal(1), one)))
  }

  private def alone(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Filter(condition, child) if condition.exists(_.isInstanceOf[OuterReference]) => child
  }

  private def correlated(plan: LogicalPlan): Boolean =
    plan.exists(_.expressions.exists(_.exists(_.isInstanceOf[OuterReference])))
}
