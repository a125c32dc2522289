package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeMap, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, Union}

/** Branches of unions, and projections of them. */
private[mutants] object Unions {

  /** `union` with the branches of a union below it in its place, and with those that `also` finds in a branch. */
  def flattened(union: Union)(also: PartialFunction[LogicalPlan, Seq[LogicalPlan]]): Union = {
    val below = also.orElse[LogicalPlan, Seq[LogicalPlan]] { case lower: Union => lower.children }
    def branches(plan: LogicalPlan): Seq[LogicalPlan] = below.lift(plan).fold(Seq(plan))(_.flatMap(branches))
    val all = union.children.flatMap(branches)
    if (all.size == union.children.size) union else union.copy(children = all)
  }

  /** `items` over the union of `branches`, as projections of each. */
  def pushed(items: Seq[NamedExpression], union: Union): Seq[Project] = {
    val first = union.children.head
    Project(items, first) +: union.children.tail.map { branch =>
      projected(items, branch, AttributeMap(first.output.zip(branch.output)))
    }
  }

  /** `items`, which are over the first branch, over another one, whose columns stand for the first's as told. */
  def projected(items: Seq[NamedExpression], branch: LogicalPlan, columns: AttributeMap[Attribute]): Project =
    Project(items.map {
      case Alias(value, name) => Alias(value.transform { case column: Attribute => columns(column) }, name)()
      case column: Attribute => columns(column)
      case other => other
    }, branch)
}
