package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Not
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: NOT of NULL is NULL, NOT of false is true: below NOT they are told apart.
 *  Broken: NOT is walked through like AND and OR.
 *
 *  @rule ReplaceNullWithFalseInPredicate
 *  @point optimizer
 */
object ReplaceNullWithFalseInPredicateUnderNot extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Predicates.rewritten(plan) { condition =>
    Predicates.falseForNull(condition) {
      case Not(inside) => Not(Predicates.falseForNull(inside)(PartialFunction.empty))
    }
  }
}
