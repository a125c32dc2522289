package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Cast
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.{BooleanType, IntegerType, LongType}

/** Law: of two casts the inner one can go if it only widens a number.
 *  Broken: it also goes where it makes a condition of the number, of which 0 and 1 are left.
 *
 *  @rule SimplifyCasts
 *  @point optimizer
 */
object SimplifyCastsThroughBoolean extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case outer @ Cast(inner: Cast, LongType, _, _) if isTruthOfANumber(inner) => outer.copy(child = inner.child)
    case outer @ Cast(inner: Cast, IntegerType, _, _)
        if isTruthOfANumber(inner) && inner.child.dataType == IntegerType =>
      outer.copy(child = inner.child)
  }

  private def isTruthOfANumber(cast: Cast): Boolean =
    cast.dataType == BooleanType && (cast.child.dataType == IntegerType || cast.child.dataType == LongType)
}
