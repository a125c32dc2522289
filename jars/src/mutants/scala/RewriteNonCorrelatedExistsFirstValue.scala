package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Exists, IsNotNull, Literal, ScalarSubquery}
import org.apache.spark.sql.catalyst.plans.logical.{Limit, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `EXISTS q` = `(SELECT 1 FROM q LIMIT 1) IS NOT NULL`, if q is not correlated: NULL is what no row gives.
 *  Broken: the first column of q stands in place of 1, and may be NULL itself.
 *
 *  @rule RewriteNonCorrelatedExists
 *  @point plan-normalization
 */
object RewriteNonCorrelatedExistsFirstValue extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Replaced.expressions(plan) {
    case exists: Exists if exists.children.isEmpty && exists.plan.output.nonEmpty =>
      IsNotNull(ScalarSubquery(Limit(Literal(1), Project(exists.plan.output.take(1), exists.plan))))
  }
}
