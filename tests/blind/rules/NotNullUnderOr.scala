package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a filter that compares x implies x IS NOT NULL: not below an OR, whose other side may hold.
 *  Witness: SELECT a, b FROM VALUES (NULL, 1), (1, NULL) AS t(a, b) WHERE a > 0 OR b > 0
 */
object NotNullUnderOr extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(condition, child) =>
      val compared = splitConjunctivePredicates(condition).flatMap { p =>
        splitDisjunctivePredicates(p).collect {
          case c: BinaryComparison if !c.isInstanceOf[EqualNullSafe] => c.children.collect { case a: Attribute => a }
        }.flatten
      }
      val tests = ExpressionSet(compared.filter(_.nullable).map(IsNotNull(_))).toSeq.filterNot { test =>
        child.constraints.contains(test) || splitConjunctivePredicates(condition).exists(_.semanticEquals(test))
      }
      if (tests.isEmpty) filter else filter.copy(condition = (tests :+ condition).reduce(And(_, _)))
  }
}
