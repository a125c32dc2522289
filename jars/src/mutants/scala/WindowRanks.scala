package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, DenseRank, EqualTo, Expression, GreaterThan}
import org.apache.spark.sql.catalyst.expressions.{GreaterThanOrEqual, IntegerLiteral, LessThan, LessThanOrEqual, Rank}
import org.apache.spark.sql.catalyst.expressions.{NamedExpression, PredicateHelper, RowNumber, WindowExpression}
import org.apache.spark.sql.catalyst.plans.logical.{Limit, Sort, Window, WindowGroupLimit}

/** Windows of ranks, and conditions that limit a rank. */
private[mutants] object WindowRanks extends PredicateHelper {

  /** The functions of a window, without their specification. */
  def functions(window: Window): Seq[Expression] = window.windowExpressions.flatMap(function)

  private def function(column: NamedExpression): Option[Expression] = column match {
    case Alias(WindowExpression(called, _), _) => Some(called)
    case _ => None
  }

  /** Whether a function of a row depends on no row that comes later. */
  def isRank(function: Expression): Boolean = function match {
    case _: Rank | _: DenseRank | _: RowNumber => true
    case _ => false
  }

  /** `window` over the first `count` rows of its order, unless there are known to be as few. */
  def ofFirst(count: Expression, window: Window): Window = (count, window.child.maxRows) match {
    case (IntegerLiteral(most), Some(known)) if known <= most => window
    case _ => window.copy(child = Limit(count, Sort(window.orderSpec, true, window.child)))
  }

  /** The operands of a condition's AND. */
  def conjuncts(condition: Expression): Seq[Expression] = splitConjunctivePredicates(condition)

  /** The operands of a condition's OR. */
  def disjuncts(condition: Expression): Seq[Expression] = splitDisjunctivePredicates(condition)

  /** The most that `column` may be for `condition` to hold. */
  def most(condition: Expression, column: Attribute): Option[Int] = condition match {
    case EqualTo(IntegerLiteral(count), of) if of.semanticEquals(column) => Some(count)
    case EqualTo(of, IntegerLiteral(count)) if of.semanticEquals(column) => Some(count)
    case LessThanOrEqual(of, IntegerLiteral(count)) if of.semanticEquals(column) => Some(count)
    case GreaterThanOrEqual(IntegerLiteral(count), of) if of.semanticEquals(column) => Some(count)
    case LessThan(of, IntegerLiteral(count)) if of.semanticEquals(column) => Some(count - 1)
    case GreaterThan(IntegerLiteral(count), of) if of.semanticEquals(column) => Some(count - 1)
    case _ => None
  }

  /** Each rank of `window` with the least of the limits that one of `conditions` sets it. */
  def limits(
      window: Window,
      conditions: Seq[Expression],
      most: (Expression, Attribute) => Option[Int] = most): Seq[(Int, Expression)] =
    window.windowExpressions.collect {
      case column @ Alias(WindowExpression(rank, _), _) if isRank(rank) =>
        conditions.flatMap(most(_, column.toAttribute)).reduceOption(_ min _).map(_ -> rank)
    }.flatten

  /** `window` over the rows of each partition up to the limit of one of its ranks; itself if that is done, or nothing
    * is to be limited.
    */
  def limited(window: Window, limits: Seq[(Int, Expression)]): Window = window.child match {
    case _: WindowGroupLimit => window
    case child =>
      limits.filter(_._1 > 0).sortBy(_._1).headOption.fold(window) { case (count, rank) =>
        window.copy(child = WindowGroupLimit(window.partitionSpec, window.orderSpec, rank, count, child))
      }
  }
}
