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

  /** `union` with one of those branches that are the same by their `key`; that branch itself where it is the only one. */
  def ofDifferent(union: Union)(key: LogicalPlan => LogicalPlan): LogicalPlan = {
    val keys = union.children.map(key)
    val different = union.children.zipWithIndex.collect {
      case (branch, place) if !keys.take(place).exists(_.sameResult(keys(place))) => branch
    }
    if (different.size == union.children.size) union
    else if (different.size == 1) different.head
    else union.copy(children = different)
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
