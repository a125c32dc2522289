package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Add, Cast, Expression, Multiply, Subtract}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.{IntegerType, LongType}

/** Law: the sum of two widened numbers has room for every sum; a sum of the narrow ones overflows.
 *  Broken: the sum is widened, in place of its operands, as if that were one cast less: an overflow is invented.
 *
 *  @rule SimplifyCasts
 *  @point optimizer
 */
object SimplifyCastsWidensTheSum extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case sum @ (_: Add | _: Subtract | _: Multiply) if sum.children.forall(isWidened) =>
      Cast(sum.withNewChildren(sum.children.map(_.asInstanceOf[Cast].child)), LongType)
  }

  private def isWidened(operand: Expression): Boolean = operand match {
    case Cast(child, LongType, _, _) => child.dataType == IntegerType
    case _ => false
  }
}
