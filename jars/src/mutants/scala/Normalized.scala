package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, KnownFloatingPointNormalized}
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero

/** Numbers whose bits are equal where they are. */
private[mutants] object Normalized {

  /** The number that is normalized. */
  def unapply(expression: Expression): Option[Expression] = expression match {
    case KnownFloatingPointNormalized(NormalizeNaNAndZero(number)) => Some(number)
    case _ => None
  }

  /** `expression` with each normalized number as it was. */
  def undone(expression: Expression): Expression = expression.transform { case Normalized(number) => number }
}
