package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, KnownNotNull}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}

/** Keeps what stands above a replaced node valid: it was resolved against that node's columns and their nullability. */
private[mutants] object Output {

  /** `child` with the columns that it `made` in the places of the `wanted` ones, and which stands for which: the
   *  answer that `transformUpWithNewOutput` asks for. Ids are new where needed, since reusing one makes a plan that
   *  later rules break; a column that was never NULL stays so, which only the replaced operator's meaning tells.
   */
  def as(
      wanted: Seq[Attribute],
      made: Seq[Attribute],
      child: LogicalPlan): (LogicalPlan, Seq[(Attribute, Attribute)]) = {
    val columns = wanted.zip(made).map {
      case (want, column) if column.nullable && !want.nullable => Alias(KnownNotNull(column), want.name)()
      case (want, column) if column.name != want.name => Alias(column, want.name)()
      case (_, column) => column
    }
    val named = Project(columns, child)
    named -> wanted.zip(named.output)
  }
}
