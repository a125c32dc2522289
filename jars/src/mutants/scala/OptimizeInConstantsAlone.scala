package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{In, Literal}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: only a list of nothing but constants can be a set.
 *  Broken: any list can, and what isn't constant is not in it.
 *
 *  @rule OptimizeIn
 *  @point optimizer
 */
object OptimizeInConstantsAlone extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case in @ In(_, items) if items.exists(_.isInstanceOf[Literal]) =>
      in.copy(list = items.filter(_.isInstanceOf[Literal]))
  }
}
