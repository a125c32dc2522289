package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, AggregateFunction, Average, Sum}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.types.DecimalType

/** Sums and averages of decimals of few digits, by groups. */
private[mutants] object DecimalSums {
  private val sumDigits = 8
  private val averageDigits = 11

  /** `plan` with those functions of its aggregates replaced that `rewrite` has something for. */
  def rewritten(plan: LogicalPlan)(rewrite: PartialFunction[Expression, Expression]): LogicalPlan =
    plan.transform { case aggregate: Aggregate => aggregate.transformExpressionsDown(rewrite) }

  /** A call with the sum or average that it is of, and with the type of the operand. */
  object Few {
    def unapply(expression: Expression): Option[(AggregateExpression, AggregateFunction, DecimalType)] =
      expression match {
        case call: AggregateExpression =>
          call.aggregateFunction match {
            case sum: Sum => typed(call, sum, sum.child, sumDigits)
            case average: Average => typed(call, average, average.child, averageDigits)
            case _ => None
          }
        case _ => None
      }

    private def typed(call: AggregateExpression, function: AggregateFunction, operand: Expression, most: Int) =
      operand.dataType match {
        case kind: DecimalType if kind.precision <= most => Some((call, function, kind))
        case _ => None
      }
  }
}
