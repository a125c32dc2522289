package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, Window}

/** Two windows, one over the other. */
private[mutants] object WindowPairs {

  /** The upper and the lower one. */
  def unapply(plan: LogicalPlan): Option[(Window, Window)] = plan match {
    case upper: Window =>
      upper.child match {
        case lower: Window if upper.references.intersect(lower.windowOutputSet).isEmpty => Some((upper, lower))
        case _ => None
      }
    case _ => None
  }

  /** Whether `some` are part of `all`, and not all. */
  def areFewer(some: Seq[Expression], all: Seq[Expression]): Boolean =
    some.size < all.size && some.forall(key => all.exists(_.semanticEquals(key)))

  /** Whether two lists hold the same expressions in the same order. */
  def areSame(one: Seq[Expression], two: Seq[Expression]): Boolean =
    one.size == two.size && one.zip(two).forall { case (left, right) => left.semanticEquals(right) }

  /** The functions of both in one window with the keys of `upper`. */
  def merged(upper: Window, lower: Window): Window =
    upper.copy(windowExpressions = lower.windowExpressions ++ upper.windowExpressions, child = lower.child)

  /** `made` with the columns of `wanted` in their places. */
  def inPlaces(wanted: Seq[Attribute], made: LogicalPlan): LogicalPlan = Project(wanted, made)
}
