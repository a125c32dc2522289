package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Attribute, Expression, IsNotNull}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}

/** Filters that a plan's conditions are said to imply. */
private[mutants] object Constraints {

  /** `plan` without the rows in which one of `columns` is NULL, or `plan` itself where that is known of it. Columns that
   *  it doesn't have are passed over. */
  def present(columns: Iterable[Attribute], plan: LogicalPlan): LogicalPlan =
    columns.filter(column => plan.outputSet.contains(column) && column.nullable)
      .map(IsNotNull(_): Expression)
      .filterNot(plan.constraints.contains)
      .reduceOption(And(_, _))
      .fold(plan)(Filter(_, plan))
}
