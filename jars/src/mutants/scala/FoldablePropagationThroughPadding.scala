package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: above a join a side's constant column is constant unless the join pads that side with NULL.
 *  Broken: padding is forgotten: the constant is in the rows without a partner, too.
 *
 *  @rule FoldablePropagation
 *  @point optimizer
 */
object FoldablePropagationThroughPadding extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case operator if operator.children.size == 1 => Foldables.put(operator, below(operator.children.head))
  }

  private def below(plan: LogicalPlan): Foldables.Known = plan match {
    case join: Join => join.children.map(Foldables.of).reduce(_ ++ _)
    case Filter(_, child) => below(child)
    case _ => Map.empty
  }
}
