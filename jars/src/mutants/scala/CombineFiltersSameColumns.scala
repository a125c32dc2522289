package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `Filter(c, Filter(d, L))` = `Filter(d AND c, L)`, without what d already says.
 *  Broken: a condition of c counts as said when d has one on the same columns, so `a > 1` goes because of `a < 5`.
 *
 *  @rule CombineFilters
 *  @point plan-normalization
 */
object CombineFiltersSameColumns extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(upper, Filter(lower, child)) if Pushdown.isPlain(lower) =>
      val said = Pushdown.conjuncts(lower)
      val more = Pushdown.conjuncts(upper).filterNot(c => said.exists(_.references == c.references))
      Pushdown.filtered(said ++ more, child)
  }
}
