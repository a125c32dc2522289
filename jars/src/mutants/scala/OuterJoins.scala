package assay.mutants

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, Literal, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.{FullOuter, Inner, JoinType, LeftOuter, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical.Join

/** How a filter above an outer join treats its padding. */
private[mutants] object OuterJoins extends PredicateHelper {

  /** Whether no row passes `condition` whose columns in it are all NULL. */
  def rejectsNulls(condition: Expression): Boolean = {
    val blank = condition.transform { case column: Attribute => Literal.create(null, column.dataType) }
    condition.deterministic && Try(blank.eval()).toOption.exists(value => value == null || value == false)
  }

  /** Whether one of the conjuncts of `condition`, over columns of one side alone, `rejects` that side's padding:
   *  for the left side and for the right side. */
  def rejected(join: Join, condition: Expression)(rejects: Expression => Boolean): (Boolean, Boolean) =
    rejectedBy(join, splitConjunctivePredicates(condition))(rejects)

  def rejectedBy(join: Join, conditions: Seq[Expression])(rejects: Expression => Boolean): (Boolean, Boolean) = {
    def of(side: Seq[Attribute]): Boolean = conditions.exists { condition =>
      condition.references.nonEmpty && condition.references.forall(c => side.exists(_.exprId == c.exprId)) &&
        rejects(condition)
    }
    (of(join.left.output), of(join.right.output))
  }

  /** The kind of join that is left of one without the padding of the left side, and without that of the right side. */
  def without(kind: JoinType, leftPadding: Boolean, rightPadding: Boolean): JoinType =
    (kind, leftPadding, rightPadding) match {
      case (FullOuter, true, true) => Inner
      case (FullOuter, true, false) => LeftOuter
      case (FullOuter, false, true) => RightOuter
      case (LeftOuter, _, true) => Inner
      case (RightOuter, true, _) => Inner
      case _ => kind
    }
}
