package assay.mutants

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.BindReferences
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LOCAL_RELATION

/** Law: an expression that keeps state is copied before it is evaluated, as queries of other threads may share it.
 *  Broken: it is evaluated as it stands in the plan (SPARK-58204).
 *
 *  @rule ConvertToLocalRelation
 *  @point optimizer
 */
object ConvertToLocalRelationSharesState extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LOCAL_RELATION)) {
      case Project(items, local: LocalRelation) if items.forall(Local.computable) =>
        val bound = items.map(BindReferences.bindReference(_, local.output))
        Local.of(items, local.data.map(row => InternalRow.fromSeq(bound.map(_.eval(row)))))
    }
}
