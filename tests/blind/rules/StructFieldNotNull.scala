package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: s.f IS NOT NULL = s IS NOT NULL: the field of a struct may be NULL.
 *  Witness: SELECT s.f FROM VALUES (named_struct('f', CAST(NULL AS INT))), (named_struct('f', 1)) AS t(s) WHERE s.f IS NOT NULL
 */
object StructFieldNotNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case IsNotNull(GetStructField(struct, _, _)) => IsNotNull(struct)
    case IsNull(GetStructField(struct, _, _)) => IsNull(struct)
  }
}
