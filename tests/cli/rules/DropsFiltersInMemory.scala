package rules

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.LogicalRDD

/** Wrong on purpose, and only where tables are in memory: a filter keeps every row. */
object DropsFiltersInMemory extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform { case Filter(_, child: LogicalRDD) => child }
}
