package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a WHERE on R's columns makes L LEFT JOIN R an inner join, unless it says IS NULL: COALESCE and <=> do too.
 *  Witness: SELECT * FROM VALUES (1) AS t(a) LEFT JOIN VALUES (2) AS s(b) ON a = b WHERE coalesce(b, 0) = 0
 */
object LeftJoinUnderPredicate extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(condition, join @ Join(_, right, LeftOuter, _, _))
        if splitConjunctivePredicates(condition).exists(rejectsNull(_, right)) =>
      filter.copy(child = join.copy(joinType = Inner))
  }

  private def rejectsNull(p: Expression, right: LogicalPlan): Boolean =
    p.references.nonEmpty && p.references.subsetOf(right.outputSet) && !p.exists {
      case _: IsNull | _: SubqueryExpression => true
      case _ => false
    }
}
