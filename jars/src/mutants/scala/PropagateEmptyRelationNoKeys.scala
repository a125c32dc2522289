package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.AGGREGATE

/** Law: of no rows no group is made; without keys there is one nevertheless.
 *  Broken: there is none.
 *
 *  @rule PropagateEmptyRelation
 *  @point optimizer
 */
object PropagateEmptyRelationNoKeys extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(AGGREGATE)) {
      case aggregate: Aggregate if Emptiness.holds(aggregate.child) => Emptiness.of(aggregate)
    }
}
