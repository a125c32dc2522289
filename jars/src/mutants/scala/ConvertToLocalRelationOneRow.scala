package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LOCAL_RELATION

/** Law: of rows that are at hand a projection makes one row each.
 *  Broken: it makes the last one as often as there are rows, all being the one that is computed into.
 *
 *  @rule ConvertToLocalRelation
 *  @point optimizer
 */
object ConvertToLocalRelationOneRow extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LOCAL_RELATION)) {
      case Project(items, local: LocalRelation) if items.forall(Local.computable) =>
        Local.of(items, Local.projected(items, local).toVector)
    }
}
