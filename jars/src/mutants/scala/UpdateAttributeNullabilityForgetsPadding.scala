package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, Join, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: above an operator a column can be NULL if it can be in what the operator gives: an outer join pads.
 *  Broken: if it can be in what the join is given, so that nothing is known of padding.
 *
 *  @rule UpdateAttributeNullability
 *  @point optimizer
 */
object UpdateAttributeNullabilityForgetsPadding extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case operator @ (_: Project | _: Aggregate) => below(operator.children.head).fold(operator)(known(operator, _))
  }

  private def below(plan: LogicalPlan): Option[Join] = plan match {
    case join: Join => Some(join)
    case Filter(_, child) => below(child)
    case Project(_, child) => below(child)
    case _ => None
  }

  private def known(operator: LogicalPlan, join: Join): LogicalPlan =
    Nullability.known(operator, join.children.flatMap(_.output))
}
