package rules

import org.apache.spark.sql.catalyst.expressions.Alias
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Wrong: the columns of a query that is a filter come out under other names. */
class RenamesColumns extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan match {
    case filter: Filter => Project(filter.output.map(column => Alias(column, column.name + "_")()), filter)
    case other => other
  }
}
