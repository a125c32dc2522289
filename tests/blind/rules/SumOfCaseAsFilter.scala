package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: sum(CASE WHEN p THEN x ELSE 0 END) = sum(x) FILTER (WHERE p): NULL, not 0, where no row has p.
 *  Witness: SELECT sum(CASE WHEN a > 1 THEN a ELSE 0 END) FROM VALUES (1) AS t(a)
 */
object SumOfCaseAsFilter extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case aggregate: Aggregate => aggregate.transformExpressions {
      case f @ AggregateExpression(sum: Sum, _, false, None, _) =>
        sum.child match {
          case CaseWhen(Seq((p, x)), Some(zero: Literal)) if isZero(zero) => filtered(f, sum, p, x)
          case If(p, x, zero: Literal) if isZero(zero) => filtered(f, sum, p, x)
          case _ => f
        }
    }
  }

  private def filtered(f: AggregateExpression, sum: Sum, p: Expression, x: Expression): AggregateExpression =
    f.copy(aggregateFunction = sum.copy(child = x), filter = Some(p))

  private def isZero(literal: Literal): Boolean = literal.value != null && literal == Literal.default(literal.dataType)
}
