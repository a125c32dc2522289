package assay.mutants

import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a constant column is known by its id.
 *  Broken: by its name: of two columns of one name above a join both have the constant of the left one.
 *
 *  @rule FoldablePropagation
 *  @point optimizer
 */
object FoldablePropagationByName extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case project @ Project(_, join @ Join(left, _, Inner, _, _)) =>
      val constants = Foldables.of(left)
      val byName = left.output.collect {
        case column if constants.contains(column.exprId) => (column.name, column.dataType) -> constants(column.exprId)
      }.toMap
      val namesakes = join.output.collect {
        case column if byName.contains((column.name, column.dataType)) =>
          column.exprId -> byName((column.name, column.dataType))
      }
      Foldables.put(project, namesakes.toMap)
  }
}
