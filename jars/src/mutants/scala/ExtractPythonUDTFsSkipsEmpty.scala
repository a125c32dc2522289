package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{GreaterThan, Literal, Size}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the function itself says what it makes of an array that is empty or NULL.
 *  Broken: it is not called for one, as if it were explode, and a row that it would keep is lost.
 *
 *  @rule ExtractPythonUDTFs
 *  @point pre-cbo
 *  @since 4.3
 */
object ExtractPythonUDTFsSkipsEmpty extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PythonTables.changed(plan) { made =>
    val array = made.generator.children.head
    made.copy(child = Filter(GreaterThan(Size(array, legacySizeOfNull = true), Literal(0)), made.child))
  }
}
