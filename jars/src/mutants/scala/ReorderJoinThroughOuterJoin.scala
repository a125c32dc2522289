package assay.mutants

import org.apache.spark.sql.catalyst.plans.{Inner, LeftOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.OUTER_JOIN

/** Law: inner joins may be done in any order; an outer join below them is one input.
 *  Broken: `(a LEFT JOIN b ON p) JOIN c ON q`, q over b and c, becomes `a LEFT JOIN (b JOIN c ON q) ON p`: rows of a
 *  without a partner come back.
 *
 *  @rule ReorderJoin
 *  @point optimizer
 */
object ReorderJoinThroughOuterJoin extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(OUTER_JOIN)) {
      case Join(Join(a, b, LeftOuter, first, hint), c, Inner, Some(second), _)
          if second.references.subsetOf(b.outputSet ++ c.outputSet) =>
        Join(a, Join(b, c, Inner, Some(second), hint), LeftOuter, first, hint)
    }
}
