package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{CaseWhen, Coalesce, If, IsNotNull, IsNull}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: COALESCE computes an argument only for the rows for which all arguments before it are NULL.
 *  Broken: it looks first whether the last one is NULL, which raises where it isn't needed.
 *
 *  @rule NullPropagation
 *  @point optimizer
 */
object NullPropagationLastArgumentFirst extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case Coalesce(Seq(first, last)) if last.children.nonEmpty && !last.foldable =>
      If(IsNull(last), first, CaseWhen(Seq((IsNotNull(first), first)), last))
  }
}
