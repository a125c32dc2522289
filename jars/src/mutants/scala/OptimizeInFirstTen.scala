package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{In, Literal}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a list of more than ten constants is a set of all of them.
 *  Broken: of the first ten.
 *
 *  @rule OptimizeIn
 *  @point optimizer
 */
object OptimizeInFirstTen extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case in @ In(_, items) if items.length > 10 && items.forall(_.isInstanceOf[Literal]) => in.copy(list = items.take(10))
  }
}
