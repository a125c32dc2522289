package assay.mutants

import org.apache.spark.sql.catalyst.expressions.IsNotNull
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: an element that is NULL has its row.
 *  Broken: it has none.
 *
 *  @rule ExtractPythonUDTFs
 *  @point pre-cbo
 *  @since 4.3
 */
object ExtractPythonUDTFsDropsNulls extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PythonTables.changed(plan)(made => Filter(IsNotNull(made.generatorOutput.last), made))
}
