package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.expressions.Literal.FalseLiteral
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.BooleanType

/** Law: NULL counts as false where it makes a condition NULL, which it does through AND, OR and results of conditionals.
 *  Broken: anywhere in a condition, so that `(c OR NULL) IS NULL` is false.
 *
 *  @rule ReplaceNullWithFalseInPredicate
 *  @point optimizer
 */
object ReplaceNullWithFalseInPredicateAnywhereInside extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Predicates.rewritten(plan)(_.transformUp {
    case Literal(null, BooleanType) => FalseLiteral
  })
}
