package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, TranspiledPythonUDF, TranspiledUDFParameter}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** Plans whose translations of functions in Python are changed before Spark puts these in the calls' places.
 *
 *  @since 4.3
 */
private[mutants] object Translations {
  /** `plan` with the translations of each call as `changed` makes them. */
  def changed(plan: LogicalPlan)(changed: Expression => Expression): LogicalPlan =
    plan.transformAllExpressionsWithSubqueries { case call: TranspiledPythonUDF =>
      call.copy(transpiledOptions = call.transpiledOptions.map(changed))
    }

  /** The parameters that a translation reads, one of each. */
  def parameters(translation: Expression): Seq[TranspiledUDFParameter] =
    translation.collect { case parameter: TranspiledUDFParameter => parameter }.distinct.sortBy(_.index)
}
