package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: CASE WHEN p THEN true ELSE false END = p: NULL, not false, where p is NULL.
 *  Witness: SELECT CASE WHEN a > 1 THEN true ELSE false END FROM VALUES (NULL), (2) AS t(a)
 *  @point plan-normalization
 */
object CaseAsCondition extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case CaseWhen(Seq((p, Literal.TrueLiteral)), Some(Literal.FalseLiteral)) => p
    case If(p, Literal.TrueLiteral, Literal.FalseLiteral) => p
  }
}
