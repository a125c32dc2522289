package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the function is called for each row, also for one that is there twice.
 *  Broken: equal rows are one row by then.
 *
 *  @rule ExtractPythonUDTFs
 *  @point pre-cbo
 *  @since 4.3
 */
object ExtractPythonUDTFsOnceForEqualRows extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PythonTables.changed(plan) { made =>
    made.copy(child = Aggregate(made.child.output, made.child.output, made.child))
  }
}
