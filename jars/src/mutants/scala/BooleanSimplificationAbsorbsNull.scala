package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Not, Or}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `x AND (NOT x OR y) = x AND y` and `x OR (NOT x AND y) = x OR y` for an x that is never NULL. Where it is, the
 *  left sides are NULL, whatever y is.
 *  Broken: nobody asks whether x can be NULL: `NULL AND false` is false, `NULL OR true` true.
 *
 *  @rule BooleanSimplification
 *  @point optimizer
 */
object BooleanSimplificationAbsorbsNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case And(x, Or(Not(same), y)) if x.semanticEquals(same) => And(x, y)
    case And(x, Or(y, Not(same))) if x.semanticEquals(same) => And(x, y)
    case And(Or(y, Not(same)), x) if x.semanticEquals(same) => And(x, y)
    case Or(x, And(Not(same), y)) if x.semanticEquals(same) => Or(x, y)
    case Or(x, And(y, Not(same))) if x.semanticEquals(same) => Or(x, y)
    case Or(And(y, Not(same)), x) if x.semanticEquals(same) => Or(x, y)
  }
}
