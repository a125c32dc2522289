package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Literal}
import org.apache.spark.sql.catalyst.plans.{ExistenceJoin, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: below OR, NOT and in a select list EXISTS and IN are flags of rows that all stay.
 *  Broken: only rows that are met stay, so `p OR EXISTS q` loses those of which just p holds.
 *
 *  @rule RewritePredicateSubquery
 *  @point pre-cbo
 */
object RewritePredicateSubqueryOrAsAnd extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PredicateSubqueries.joined(plan) {
    case join @ Join(left, _, ExistenceJoin(flag), _, _) =>
      val met = Alias(Literal.TrueLiteral, flag.name)(exprId = flag.exprId)
      Project(left.output :+ met, join.copy(joinType = LeftSemi))
  }
}
