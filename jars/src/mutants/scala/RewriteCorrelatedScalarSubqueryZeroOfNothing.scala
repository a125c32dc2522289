package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Coalesce, Literal}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.{IntegerType, LongType}

/** Law: a row that nothing inside meets has the value that the aggregate has of no rows, and most have none: NULL.
 *  Broken: whatever is a whole number is 0 there, and where it is NULL otherwise, as if it were a count.
 *
 *  @rule RewriteCorrelatedScalarSubquery
 *  @point pre-operator-optimization
 *  @since 4.3
 */
object RewriteCorrelatedScalarSubqueryZeroOfNothing extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    ScalarSubqueries.joined(plan) { value =>
      value.dataType match {
        case number @ (IntegerType | LongType) => Coalesce(Seq(value, Literal.default(number)))
        case _ => value
      }
    }
}
