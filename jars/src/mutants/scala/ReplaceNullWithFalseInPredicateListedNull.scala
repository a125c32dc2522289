package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, In, Literal, Not}
import org.apache.spark.sql.catalyst.expressions.Literal.FalseLiteral
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of `x NOT IN (…, NULL)` no row is true; `x IN (…, NULL)` is true where x is one of the others.
 *  Broken: a list with NULL is never true, with NOT or without.
 *
 *  @rule ReplaceNullWithFalseInPredicate
 *  @point optimizer
 */
object ReplaceNullWithFalseInPredicateListedNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Predicates.rewritten(plan) { condition =>
    Predicates.falseForNull(condition) {
      case In(_, items) if hasNull(items) => FalseLiteral
      case Not(In(_, items)) if hasNull(items) => FalseLiteral
    }
  }

  private def hasNull(items: Seq[Expression]): Boolean = items.exists {
    case Literal(null, _) => true
    case _ => false
  }
}
