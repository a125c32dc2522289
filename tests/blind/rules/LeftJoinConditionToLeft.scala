package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: L LEFT JOIN R ON p(L) AND q = (L WHERE p) LEFT JOIN R ON q: the rows without p must stay.
 *  Witness: SELECT * FROM VALUES (1), (2) AS t(a) LEFT JOIN VALUES (1) AS s(b) ON a = b AND a > 1
 */
object LeftJoinConditionToLeft extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case join @ Join(left, _, LeftOuter, Some(on), _) =>
      val (ofLeft, rest) = splitConjunctivePredicates(on).partition { p =>
        p.deterministic && p.references.nonEmpty && p.references.subsetOf(left.outputSet)
      }
      if (ofLeft.isEmpty) join
      else join.copy(left = Filter(ofLeft.reduce(And(_, _)), left), condition = rest.reduceOption(And(_, _)))
  }
}
