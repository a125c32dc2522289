package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, KnownNotNull}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}

/** Keeps what stands above a replaced node valid: it was resolved against that node's columns, by id and nullability. */
private[mutants] object Output {

  /** `child` with its columns under new ids, so that the old ones are free for [[as]]. */
  def renamed(child: LogicalPlan): LogicalPlan =
    Project(child.output.map(column => Alias(column, column.name)()), child)

  /** The columns `made` by `child` under the ids and the nullability of the `wanted` ones, by position.
   *  (Where NULL can't reach the answer, only this says so: Spark's own rules leave that out.) */
  def as(wanted: Seq[Attribute], made: Seq[Attribute], child: LogicalPlan): LogicalPlan =
    Project(
      wanted.zip(made).map { case (want, column) =>
        val value = if (column.nullable && !want.nullable) KnownNotNull(column) else column
        Alias(value, want.name)(exprId = want.exprId)
      },
      child)
}
