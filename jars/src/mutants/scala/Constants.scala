package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, BinaryComparison, EqualTo, Expression, Literal, PredicateHelper}

/** Columns that a condition compares with constants. */
private[mutants] object Constants extends PredicateHelper {

  /** A column with what it is compared with, and the comparison. */
  final case class Known(column: Attribute, value: Literal, comparison: Expression)

  /** The column and the constant of an equality. */
  val equality: PartialFunction[Expression, Known] = {
    case both @ EqualTo(column: Attribute, value: Literal) if value.value != null => Known(column, value, both)
    case both @ EqualTo(value: Literal, column: Attribute) if value.value != null => Known(column, value, both)
  }

  /** The facts that `reads` finds in the operands of a condition's AND. */
  def known(condition: Expression)(reads: PartialFunction[Expression, Known]): Seq[Known] =
    splitConjunctivePredicates(condition).collect(reads)

  /** `condition` with the value of each known column for that column in its comparisons, but for those it is known by. */
  def put(condition: Expression, known: Seq[Known]): Expression = condition.transformUp {
    case comparison: BinaryComparison if !known.exists(_.comparison.semanticEquals(comparison)) =>
      valuesFor(comparison, known)
  }

  /** `expression` with the value of each known column for that column. */
  def valuesFor(expression: Expression, known: Seq[Known]): Expression = expression.transformUp {
    case column: Attribute => known.find(_.column.exprId == column.exprId).fold[Expression](column)(_.value)
  }
}
