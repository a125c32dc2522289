package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{EqualNullSafe, EqualTo}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a row with NULL in the columns that the subquery refers to has its own rows of the subquery, like any other.
 *  Broken: these columns are compared by = where it has to be <=>, so that it has none.
 *
 *  @rule RewriteLateralSubquery
 *  @point pre-operator-optimization
 */
object RewriteLateralSubqueryNullMeetsNothing extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = LateralJoins.rewritten(plan)(identity) { join =>
    join.copy(condition = join.condition.map(_.transform { case EqualNullSafe(left, right) => EqualTo(left, right) }))
  }
}
