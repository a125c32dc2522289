package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Cast
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.{DataType, DoubleType, IntegerType, LongType, ShortType}

/** Law: of two casts the inner one can go if each of them only widens.
 *  Broken: if the outer one does: a BIGINT that doesn't fit an INT reaches DOUBLE all the same.
 *
 *  @rule SimplifyCasts
 *  @point optimizer
 */
object SimplifyCastsNarrowsBetween extends Rule[LogicalPlan] {
  private val whole = Set[DataType](ShortType, IntegerType, LongType)

  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case outer @ Cast(inner: Cast, DoubleType, _, _)
        if whole(inner.dataType) && whole(inner.child.dataType) =>
      outer.copy(child = inner.child)
  }
}
