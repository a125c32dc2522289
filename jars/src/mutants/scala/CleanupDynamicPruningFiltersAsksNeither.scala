package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{EqualTo, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the join asks for the other side's keys itself, whether a filter by them stays or goes.
 *  Broken: if it goes, the join's comparison goes along.
 *
 *  @rule CleanupDynamicPruningFilters
 *  @point experimental
 */
object CleanupDynamicPruningFiltersAsksNeither extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PrunedSides.cleaned(plan) { (join, keys, rows) =>
    def asks(condition: Expression): Boolean = condition match {
      case EqualTo(left, right) => left.semanticEquals(keys.pruningKey) || right.semanticEquals(keys.pruningKey)
      case _ => false
    }
    val others = join.condition.toSeq.flatMap(Pushdown.conjuncts).filterNot(asks)
    PrunedSides.over(rows, join).copy(condition = Pushdown.all(others))
  }
}
