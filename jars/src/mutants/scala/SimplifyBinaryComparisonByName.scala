package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{AttributeReference, EqualNullSafe, EqualTo}
import org.apache.spark.sql.catalyst.expressions.Literal.TrueLiteral
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a comparison of an expression with itself is known; two columns are one if they have one id.
 *  Broken: if they have one name, so a join of a table with itself by `t.a = s.a` is a cross join.
 *
 *  @rule SimplifyBinaryComparison
 *  @point optimizer
 */
object SimplifyBinaryComparisonByName extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case EqualTo(one: AttributeReference, two: AttributeReference) if one.name == two.name => TrueLiteral
    case EqualNullSafe(one: AttributeReference, two: AttributeReference) if one.name == two.name => TrueLiteral
  }
}
