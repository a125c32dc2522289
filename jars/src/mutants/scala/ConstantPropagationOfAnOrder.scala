package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, GreaterThanOrEqual, LessThanOrEqual, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: an equality with a constant says what a column is. An order doesn't.
 *  Broken: `a >= 0` and `a <= 0` are taken to say that a is 0.
 *
 *  @rule ConstantPropagation
 *  @point optimizer
 */
object ConstantPropagationOfAnOrder extends Rule[LogicalPlan] {
  private val order: PartialFunction[Expression, Constants.Known] = {
    case both @ LessThanOrEqual(column: Attribute, value: Literal) => Constants.Known(column, value, both)
    case both @ GreaterThanOrEqual(column: Attribute, value: Literal) => Constants.Known(column, value, both)
  }

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(condition, _) =>
      filter.copy(condition = Constants.put(condition, Constants.known(condition)(Constants.equality.orElse(order))))
  }
}
