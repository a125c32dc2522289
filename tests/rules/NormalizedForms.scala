package normalized

import org.apache.spark.sql.catalyst.expressions.Alias
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Wrong on purpose, and plain to see: takes the left side for an EXCEPT, but only where a leaf and a filter of a leaf
 *  stand right below it. Nodes that only give names would be in between. */
class WantsLeaves extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = AnalysisHelper.allowInvokingTransformsInAnalyzer {
    plan.transform { case Except(left: LeafNode, Filter(_, _: LeafNode), false) => left }
  }
}

/** Changes every plan that it is handed and no answer, so that cleaned plans are what runs. */
class Wraps extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Project(plan.output, plan)
}

/** Right, and idempotent: a projection of all columns is below each filter then. */
class Projects extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Filter(condition, child) if !child.isInstanceOf[Project] => Filter(condition, Project(child.output, child))
  }
}

/** Right, and gives every DISTINCT's columns new ids, of which Spark tells all who stand above it in the same plan. */
class Renumbers extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUpWithNewOutput {
    case distinct: Distinct =>
      val renumbered = Project(distinct.output.map(column => Alias(column, column.name)()), distinct)
      renumbered -> distinct.output.zip(renumbered.output)
  }
}
