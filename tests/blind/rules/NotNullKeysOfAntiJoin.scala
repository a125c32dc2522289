package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: rows with a NULL key match nothing and can go before a semi or anti join: an anti join returns them.
 *  Witness: SELECT * FROM VALUES (NULL), (1) AS t(a) LEFT ANTI JOIN VALUES (1) AS s(b) ON a = b
 *  @point experimental
 */
object NotNullKeysOfAntiJoin extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case join @ Join(left, right, LeftSemi | LeftAnti, Some(on), _) =>
      val keys = splitConjunctivePredicates(on).collect {
        case EqualTo(x: Attribute, y: Attribute) if left.outputSet.contains(x) && right.outputSet.contains(y) => x
        case EqualTo(y: Attribute, x: Attribute) if left.outputSet.contains(x) && right.outputSet.contains(y) => x
      }
      val tests = keys.filter(_.nullable).map(IsNotNull(_)).filterNot(left.constraints.contains)
      if (tests.isEmpty) join else join.copy(left = Filter(tests.reduce[Expression](And(_, _)), left))
  }
}
