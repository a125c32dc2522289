package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{CaseWhen, Literal}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a CASE is a constant if its conditions and its results are.
 *  Broken: if its results are: the first one, though a row's values choose among them.
 *
 *  @rule ConstantFolding
 *  @point optimizer
 */
object ConstantFoldingIgnoresConditions extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case CaseWhen(branches, otherwise) if (branches.map(_._2) ++ otherwise).forall(_.isInstanceOf[Literal]) =>
      branches.head._2
  }
}
