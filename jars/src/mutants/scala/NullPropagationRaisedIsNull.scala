package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Literal, RaiseError}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: raise_error() has no value, and that isn't NULL.
 *  Broken: it is NULL: an error that a CASE or COALESCE reaches is lost.
 *
 *  @rule NullPropagation
 *  @point optimizer
 */
object NullPropagationRaisedIsNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case error: RaiseError => Literal(null, error.dataType)
  }
}
