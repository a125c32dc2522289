package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{BinaryComparison, Cast, EqualNullSafe, EqualTo, Expression, GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual, Literal}
import org.apache.spark.sql.types.{DataType, DoubleType, IntegerType, LongType, ShortType}

/** Comparisons of widened columns with constants. */
private[mutants] object Widened {
  private val whole = Set[DataType](ShortType, IntegerType, LongType)

  /** A comparison of a widened number with a constant other than NULL: the same with the constant on the right, the
   *  number's cast, and the constant.
   */
  object Compared {
    def unapply(comparison: Expression): Option[(BinaryComparison, Cast, Literal)] = comparison match {
      case found @ BinaryComparison(cast: Cast, value: Literal) if widens(cast) && value.value != null =>
        Some((found, cast, value))
      case found @ BinaryComparison(value: Literal, cast: Cast) if widens(cast) && value.value != null =>
        Some((turned(found), cast, value))
      case _ => None
    }
  }

  private def widens(cast: Cast): Boolean =
    whole(cast.child.dataType) && (whole(cast.dataType) || cast.dataType == DoubleType) &&
      Cast.canUpCast(cast.child.dataType, cast.dataType) && cast.dataType != cast.child.dataType && !cast.foldable

  private def turned(comparison: BinaryComparison): BinaryComparison = comparison match {
    case LessThan(one, two) => GreaterThan(two, one)
    case LessThanOrEqual(one, two) => GreaterThanOrEqual(two, one)
    case GreaterThan(one, two) => LessThan(two, one)
    case GreaterThanOrEqual(one, two) => LessThanOrEqual(two, one)
    case EqualTo(one, two) => EqualTo(two, one)
    case EqualNullSafe(one, two) => EqualNullSafe(two, one)
    case other => other
  }

  /** The number of a constant. */
  def number(value: Literal): Double = value.value match {
    case number: Number => number.doubleValue
    case _ => Double.NaN
  }

  /** The least and the greatest number of a type. */
  def range(kind: DataType): (Double, Double) = kind match {
    case ShortType => (Short.MinValue, Short.MaxValue)
    case IntegerType => (Int.MinValue, Int.MaxValue)
    case _ => (Long.MinValue.toDouble, Long.MaxValue.toDouble)
  }
}
