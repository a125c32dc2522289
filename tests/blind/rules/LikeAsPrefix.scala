package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types._

/** Law: x LIKE 'p%' = startswith(x, 'p'): p may hold a _, which is any character.
 *  Witness: SELECT a FROM VALUES ('abc') AS t(a) WHERE a LIKE '_b%'
 *  @point plan-normalization
 */
object LikeAsPrefix extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformAllExpressions {
    case Like(x, Literal(pattern, StringType), escape) if pattern != null && isPrefix(pattern.toString, escape) =>
      StartsWith(x, Literal(pattern.toString.init))
  }

  private def isPrefix(pattern: String, escape: Char): Boolean =
    pattern.endsWith("%") && !pattern.init.exists(c => c == '%' || c == escape)
}
