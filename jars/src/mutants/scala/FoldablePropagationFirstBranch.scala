package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan, Project, Union}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: above a union a column is constant only if all branches have one constant for it.
 *  Broken: if the first branch has one.
 *
 *  @rule FoldablePropagation
 *  @point optimizer
 */
object FoldablePropagationFirstBranch extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case operator @ (_: Project | _: Aggregate) => Foldables.put(operator, below(operator.children.head))
  }

  private def below(plan: LogicalPlan): Foldables.Known = plan match {
    case union: Union =>
      val first = union.children.head
      val known = Foldables.of(first)
      union.output.zip(first.output).collect {
        case (column, inBranch) if known.contains(inBranch.exprId) => column.exprId -> known(inBranch.exprId)
      }.toMap
    case _ => Map.empty
  }
}
