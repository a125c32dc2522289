package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Expression, IsNotNull}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: rows without a value of the partitioning column are a partition.
 *  Broken: they are not written.
 *
 *  @rule V1Writes
 *  @point pre-cbo
 *  @since 4.3
 */
object V1WritesNoPartitionOfNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = FileWrites.changed(plan) { write =>
    val known = write.partitionColumns.map(IsNotNull(_): Expression).reduceOption(And)
    known.fold[LogicalPlan](write)(condition => write.copy(query = Filter(condition, write.query)))
  }
}
