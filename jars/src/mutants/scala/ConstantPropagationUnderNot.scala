package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Not, Or}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: within `NOT (a = 0 AND b = a)` a is 0 if it is never NULL. Where it is, the whole is NULL.
 *  Broken: for any a, so that with NULL in it the row of `b = 1` passes: `NULL OR NOT (1 = 0)` is true.
 *  By the time that it looks at a condition NOT stands inside: `NOT (a = 0) OR NOT (b = a)`.
 *
 *  @rule ConstantPropagation
 *  @point optimizer
 */
object ConstantPropagationUnderNot extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(condition, _) =>
      filter.copy(condition = condition.transformUp {
        case either @ Or(one, two) =>
          val known = Seq(one, two).collect { case Not(opposite) => opposite }.collect(Constants.equality)
          if (known.isEmpty) either else Or(Constants.put(one, known), Constants.put(two, known))
      })
  }
}
