package assay.mutants

import org.apache.spark.sql.catalyst.expressions.PythonUDTF
import org.apache.spark.sql.catalyst.plans.logical.{Generate, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.GENERATE
import org.apache.spark.sql.execution.python.ExtractPythonUDTFs

/** Plans whose table functions in Python are changed before Spark's rule extracts them, which is off then: it can be
 *  excluded, and no plan runs without it.
 */
private[mutants] object PythonTables {

  /** `plan` with these functions' operators as `changed` makes them, the lowest first, and then extracted. */
  def changed(plan: LogicalPlan)(changed: Generate => LogicalPlan): LogicalPlan =
    ExtractPythonUDTFs(plan.transformUpWithPruning(_.containsPattern(GENERATE)) {
      case made: Generate if made.generator.isInstanceOf[PythonUDTF] => changed(made)
    })
}
