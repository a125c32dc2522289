package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{AliasHelper, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: projections are merged where each expression below is deterministic, or is read once.
 *  Broken: any two projections are, so a random value is made once for each time that it is read.
 *
 *  @rule CollapseProject
 *  @point plan-normalization
 */
object CollapseProjectRandomTwice extends Rule[LogicalPlan] with AliasHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case Project(above, Project(below, child)) if !below.forall(_.deterministic) =>
      val merged: Seq[NamedExpression] = above.map(replaceAliasButKeepName(_, getAliasMap(below)))
      Project(merged, child)
  }
}
