package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: CASE WHEN p THEN x END IS NULL = CASE WHEN p THEN x IS NULL ELSE false END: without p the value is NULL.
 *  Witness: SELECT CASE WHEN a > 1 THEN a END IS NULL FROM VALUES (1) AS t(a)
 *  @point plan-normalization
 */
object IsNullIntoCase extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case IsNull(CaseWhen(branches, otherwise)) =>
      val tests = branches.map { case (p, x) => (p, IsNull(x)) }
      CaseWhen(tests, Some(otherwise.fold[Expression](Literal.FalseLiteral)(IsNull(_))))
  }
}
