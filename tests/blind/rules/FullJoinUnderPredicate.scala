package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a WHERE that rejects NULL in L's columns makes L FULL JOIN R a RIGHT JOIN: it is a LEFT JOIN.
 *  Witness: SELECT * FROM VALUES (1) AS t(a) FULL JOIN VALUES (2) AS s(b) ON a = b WHERE a > 0
 *  @point plan-normalization
 */
object FullJoinUnderPredicate extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(condition, join @ Join(left, right, FullOuter, _, _)) =>
      val compared = splitConjunctivePredicates(condition).collect {
        case p: BinaryComparison if !p.isInstanceOf[EqualNullSafe] => p.children.collect { case a: Attribute => a }
      }.flatten
      if (compared.exists(left.outputSet.contains)) filter.copy(child = join.copy(joinType = RightOuter))
      else if (compared.exists(right.outputSet.contains)) filter.copy(child = join.copy(joinType = LeftOuter))
      else filter
  }
}
