package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LOCAL_RELATION

/** Law: a projection makes as many rows as it gets, equal ones too.
 *  Broken: of rows that are at hand it makes each different one once.
 *
 *  @rule ConvertToLocalRelation
 *  @point optimizer
 */
object ConvertToLocalRelationEachRowOnce extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LOCAL_RELATION)) {
      case Project(items, local: LocalRelation) if items.forall(Local.computable) =>
        Local.of(items, Local.projected(items, local).map(_.copy()).toVector.distinct)
    }
}
