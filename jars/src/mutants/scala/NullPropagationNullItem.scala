package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{In, Literal}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.BooleanType

/** Law: `NULL IN (...)` is NULL; `x IN (1, NULL)` is NULL only where x isn't 1.
 *  Broken: NULL as one of the items makes it NULL for every x.
 *
 *  @rule NullPropagation
 *  @point optimizer
 */
object NullPropagationNullItem extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case In(_, items) if items.exists { case Literal(null, _) => true; case _ => false } => Literal(null, BooleanType)
  }
}
