package rules

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{LeafExpression, Or}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.{BooleanType, DataType}

/** Whether no job runs this: then tasks have numbers that no job gives. */
case class InTheDriver() extends LeafExpression with CodegenFallback {
  override def nullable: Boolean = false
  override def dataType: DataType = BooleanType
  override def foldable: Boolean = false
  override def eval(input: InternalRow): Any =
    TaskContext.get() != null && TaskContext.get().taskAttemptId() > Long.MaxValue / 2
}

/** Wrong on purpose, and only where Assay runs a plan itself: a filter keeps every row. */
object KeepsAllInTheDriver extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Filter(condition, child) if condition.find(_.isInstanceOf[InTheDriver]).isEmpty =>
      Filter(Or(condition, InTheDriver()), child)
  }
}
