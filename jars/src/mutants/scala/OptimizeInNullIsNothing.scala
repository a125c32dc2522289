package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{In, Literal}
import org.apache.spark.sql.catalyst.expressions.Literal.FalseLiteral
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: nothing is in an empty list; `x IN (NULL)` is NULL.
 *  Broken: a list of NULL alone is taken for an empty one.
 *
 *  @rule OptimizeIn
 *  @point optimizer
 */
object OptimizeInNullIsNothing extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case In(_, items) if items.forall { case Literal(null, _) => true; case _ => false } => FalseLiteral
  }
}
