package assay.mutants

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, Literal}
import org.apache.spark.sql.catalyst.expressions.Literal.FalseLiteral
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.BooleanType

/** Law: an expression of constants is its value, be that NULL.
 *  Broken: a condition whose value is NULL is false: as a column, or under NOT, that is another one.
 *
 *  @rule ConstantFolding
 *  @point optimizer
 */
object ConstantFoldingUnknownIsFalse extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case condition if isConstant(condition) && condition.eval(InternalRow.empty) == null => FalseLiteral
  }

  private def isConstant(expression: Expression): Boolean =
    expression.dataType == BooleanType && expression.foldable && !expression.isInstanceOf[Literal]
}
