package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Or}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: where `a = 0` holds, a is 0 in whatever else has to hold: in the other parts of the same AND.
 *  Broken: in the other parts of an OR as well, where the equality need not hold.
 *
 *  @rule ConstantPropagation
 *  @point optimizer
 */
object ConstantPropagationIntoOr extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(condition, _) =>
      filter.copy(condition = condition.transformUp {
        case either @ Or(one, two) =>
          val known = Seq(one, two).collect(Constants.equality)
          if (known.isEmpty) either else Or(Constants.put(one, known), Constants.put(two, known))
        case both: And => Constants.put(both, Constants.known(both)(Constants.equality))
      })
  }
}
