package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{CTERelationRef, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{CTE, UNION}

/** Law: each place that reads a common table expression has all of its rows.
 *  Broken: branches of a union that read the same one are taken for one branch.
 *
 *  @rule InlineCTE
 *  @point plan-normalization
 */
object InlineCTEReadOnce extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(CTE, UNION)) {
      case union: Union if readsOne(union) => union.children.head
    }

  private def readsOne(union: Union): Boolean = {
    val places = union.children.collect { case place: CTERelationRef => place.cteId }
    places.size == union.children.size && places.distinct.size == 1
  }
}
