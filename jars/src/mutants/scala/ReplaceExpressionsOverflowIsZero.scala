package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Add, And, Coalesce, IsNotNull, If, Literal, TryAdd}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `try_add(x, y)` is `x + y`, and NULL where the type has no room for that.
 *  Broken: 0 where there is no room.
 *
 *  @rule ReplaceExpressions
 *  @point plan-normalization
 */
object ReplaceExpressionsOverflowIsZero extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Replaced.expressions(plan) { case tried: TryAdd =>
    tried.replacement.transformUp { case sum: Add =>
      val both = And(IsNotNull(sum.left), IsNotNull(sum.right))
      If(both, Coalesce(Seq(sum, Literal.default(sum.dataType))), sum)
    }
  }
}
