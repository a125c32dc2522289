package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Cast, EvalMode}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: in ANSI mode a cast raises where the value doesn't fit.
 *  Broken: it is taken for try_cast, which is NULL there: the error is lost.
 *
 *  @rule SimplifyCasts
 *  @point optimizer
 */
object SimplifyCastsTriesThem extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case cast: Cast if cast.evalMode == EvalMode.ANSI && cast.child.nullable && mayFail(cast) =>
      cast.copy(evalMode = EvalMode.TRY)
  }

  private def mayFail(cast: Cast): Boolean = !cast.foldable && !Cast.canUpCast(cast.child.dataType, cast.dataType)
}
