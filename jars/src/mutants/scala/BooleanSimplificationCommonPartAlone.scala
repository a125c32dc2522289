package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Expression, Or, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `(x OR y) AND (x OR z) = x OR (y AND z)`; what is left is x alone where one part is nothing else.
 *  Broken: x alone, whatever else the parts ask.
 *
 *  @rule BooleanSimplification
 *  @point optimizer
 */
object BooleanSimplificationCommonPartAlone extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case both @ And(one: Or, two: Or) =>
      inBoth(splitDisjunctivePredicates(one), splitDisjunctivePredicates(two)).reduceOption(Or(_, _)).getOrElse(both)
    case either @ Or(one: And, two: And) =>
      inBoth(splitConjunctivePredicates(one), splitConjunctivePredicates(two)).reduceOption(And(_, _)).getOrElse(either)
  }

  private def inBoth(one: Seq[Expression], two: Seq[Expression]): Seq[Expression] =
    one.filter(part => two.exists(part.semanticEquals))
}
