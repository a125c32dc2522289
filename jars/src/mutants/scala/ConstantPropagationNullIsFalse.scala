package assay.mutants

import org.apache.spark.sql.catalyst.expressions.And
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a filter's condition may as well be false where it is NULL; a column must not. `a = 0 AND b = a` is NULL where a
 *  is, `a = 0 AND b = 0` is false if b isn't 0.
 *  Broken: columns of a projection are rewritten like filters.
 *
 *  @rule ConstantPropagation
 *  @point optimizer
 */
object ConstantPropagationNullIsFalse extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case project: Project =>
      project.transformExpressionsUp {
        case both: And => Constants.put(both, Constants.known(both)(Constants.equality))
      }
  }
}
