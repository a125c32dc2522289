package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{AGGREGATE, FILTER}

/** Law: what is between two aggregates stays, the lower one's HAVING above all.
 *  Broken: below an aggregate that only groups it goes.
 *
 *  @rule RemoveRedundantAggregates
 *  @point pre-operator-optimization
 */
object RemoveRedundantAggregatesIgnoresHaving extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(AGGREGATE, FILTER)) {
      case upper: Aggregate if GroupingKeys.onlyGroups(upper) =>
        upper.child match {
          case Filter(_, lower: Aggregate) => upper.copy(child = lower)
          case between @ Project(_, Filter(_, lower: Aggregate)) => upper.copy(child = between.copy(child = lower))
          case _ => upper
        }
    }
}
