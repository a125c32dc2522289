package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: L LEFT JOIN R ON x = y AND p(y) implies p(x), a filter of L: L's rows without p must stay.
 *  Witness: SELECT * FROM VALUES (1), (2) AS t(a) LEFT JOIN VALUES (1), (2) AS s(b) ON a = b AND b > 1
 *  @point pre-operator-optimization
 */
object InferOnPreservedSide extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case join @ Join(left, right, LeftOuter, Some(on), _) =>
      val conjuncts = splitConjunctivePredicates(on)
      val pairs = AttributeMap(conjuncts.collect {
        case EqualTo(x: Attribute, y: Attribute) if left.outputSet.contains(x) && right.outputSet.contains(y) => y -> x
        case EqualTo(y: Attribute, x: Attribute) if left.outputSet.contains(x) && right.outputSet.contains(y) => y -> x
      })
      val inferred = conjuncts.filter { p =>
        p.deterministic && p.references.nonEmpty && p.references.forall(pairs.contains)
      }.map(_.transform { case column: Attribute => pairs(column) }).filterNot(left.constraints.contains)
      if (inferred.isEmpty) join else join.copy(left = Filter(inferred.reduce(And(_, _)), left))
  }
}
