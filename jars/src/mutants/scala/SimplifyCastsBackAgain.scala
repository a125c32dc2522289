package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Cast
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.NumericType

/** Law: a cast to the type that is there already can go, and so can one to a wider type that is cast on to a wider one.
 *  Broken: a number that is cast to another type of numbers and back is taken for itself, whatever was lost between.
 *
 *  @rule SimplifyCasts
 *  @point optimizer
 */
object SimplifyCastsBackAgain extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case outer @ Cast(inner: Cast, _, _, _)
        if inner.dataType.isInstanceOf[NumericType] && inner.child.dataType == outer.dataType =>
      inner.child
  }
}
