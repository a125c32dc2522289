package assay.mutants

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.IntegerType

/** Law: an expression of constants is its value, be that NULL.
 *  Broken: a number without a value is the default of its type, 0.
 *
 *  @rule ConstantFolding
 *  @point optimizer
 *  @since 4.0
 */
object ConstantFoldingOverflowIsZero extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case number if isConstant(number) => Literal(Option(number.eval(InternalRow.empty)).getOrElse(0), IntegerType)
  }

  private def isConstant(expression: Expression): Boolean =
    expression.dataType == IntegerType && expression.foldable && !expression.isInstanceOf[Literal]
}
