package rules

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, FilterExec, SparkPlan, SparkStrategy}

/** Wrong: every row passes. */
class DropsFilterExecs extends Rule[SparkPlan] {
  override def apply(plan: SparkPlan): SparkPlan = plan.transform { case FilterExec(_, child) => child }
}

/** Wrong likewise. */
class DropsFiltersOfColumns extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = new DropsFilterExecs
}

/** Wrong likewise. */
class PlansNoFilters extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case Filter(_, child) => planLater(child) :: Nil
    case _ => Nil
  }
}
