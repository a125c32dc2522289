package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.UNION

/** Law: the branches of a union lose the same places.
 *  Broken: the first branch keeps what is asked for, the others as many of their first columns, where the types allow.
 *
 *  @rule ColumnPruning
 *  @point optimizer
 */
object ColumnPruningUnionFirstColumns extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(UNION)) {
      case project @ Project(_, union: Union) => project.copy(child = pruned(project, union))
      case aggregate @ Grouped(_, _, union: Union) => aggregate.copy(child = pruned(aggregate, union))
    }

  private def pruned(above: LogicalPlan, union: Union): Union = {
    val asked = union.output.indices.filter(place => above.references.contains(union.output(place)))
    val fits = union.children.forall { branch =>
      asked.indices.forall(n => branch.output(n).dataType == branch.output(asked(n)).dataType)
    }
    if (!fits || asked.size == union.output.size) {
      union
    } else {
      val first = union.children.head
      union.copy(children = Project(asked.map(first.output), first) +:
        union.children.tail.map(branch => Project(branch.output.take(asked.size), branch)))
    }
  }
}
