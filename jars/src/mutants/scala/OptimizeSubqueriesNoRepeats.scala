package assay.mutants

import org.apache.spark.sql.catalyst.expressions.ScalarSubquery
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Distinct, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.SCALAR_SUBQUERY

/** Law: repeats among the rows of an IN's query don't matter; below an aggregate they do.
 *  Broken: they are dropped below the aggregate of a subquery for a value.
 *
 *  @rule OptimizeSubqueries
 *  @point plan-normalization
 */
object OptimizeSubqueriesNoRepeats extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformAllExpressionsWithPruning(_.containsPattern(SCALAR_SUBQUERY)) {
      case value: ScalarSubquery if !value.isCorrelated => value.withNewPlan(value.plan match {
        case groups: Aggregate => groups.copy(child = Distinct(groups.child))
        case other => other
      })
    }
}
