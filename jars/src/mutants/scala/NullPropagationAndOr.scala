package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Expression, Literal, Or}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.BooleanType

/** Law: an expression with NULL in it is NULL if it is NULL wherever a part is. AND isn't: `NULL AND false` is false;
 *  nor is OR: `NULL OR true` is true.
 *  Broken: they are taken to be.
 *
 *  @rule NullPropagation
 *  @point optimizer
 */
object NullPropagationAndOr extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case And(one, two) if isNull(one) || isNull(two) => Literal(null, BooleanType)
    case Or(one, two) if isNull(one) || isNull(two) => Literal(null, BooleanType)
  }

  private def isNull(expression: Expression): Boolean = expression match {
    case Literal(null, _) => true
    case _ => false
  }
}
