package org.apache.spark.sql.assay.connector

import org.apache.spark.sql.assay.RowKey
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.connector.expressions.{Expression, NamedReference}
import org.apache.spark.sql.connector.expressions.aggregate._
import org.apache.spark.sql.types._

/** Counts, sums, least and greatest values of whole columns by other columns, which the source computes. */
private[assay] final class PushedAggregates(groups: Seq[Int], functions: Seq[PushedAggregates.Function], schema: StructType) {
  private val types = schema.map(_.dataType).toArray

  /** The columns of the result: the keys first. */
  val resultType: StructType = StructType(groups.map(schema(_)) ++ functions.map(_.field))

  /** A row for each group of `rows`; without keys just one, even of no rows. */
  def of(rows: Seq[InternalRow]): Seq[InternalRow] = {
    val names = rows.map(row => RowKey.of(row, types, groups.toArray))
    val byName = names.zip(rows).groupBy(_._1)
    val parts = if (groups.isEmpty) Seq(rows) else names.distinct.map(byName(_).map(_._2))
    parts.map { part =>
      val keys = groups.map(i => Values.of(part.head, i, types(i)))
      new GenericInternalRow((keys ++ functions.map(_.value(part))).toArray[Any])
    }
  }

  def hasKeys: Boolean = groups.nonEmpty
}

private[assay] object PushedAggregates {
  /** The value of an aggregate function over rows, and its column. */
  final case class Function(field: StructField, value: Seq[InternalRow] => Any)

  /** `aggregation` of rows of `schema`, or None if the source can't compute it: arguments must be columns, keys no
   *  floating numbers, whose zeros have two signs, sums those that always fit. `whole` says whether it would be the final
   *  answer: only then can repeats be left out. */
  def of(aggregation: Aggregation, schema: StructType, whole: Boolean): Option[PushedAggregates] = {
    val groups = aggregation.groupByExpressions.toSeq.map(place(_, schema).filter(i => isGroupable(schema(i).dataType)))
    val functions = aggregation.aggregateExpressions.toSeq.map(function(_, schema, whole))
    if (groups.forall(_.isDefined) && functions.forall(_.isDefined)) {
      Some(new PushedAggregates(groups.flatten, functions.flatten, schema))
    } else None
  }

  private def place(expression: Expression, schema: StructType): Option[Int] = expression match {
    case reference: NamedReference => Values.column(reference, schema)
    case _ => None
  }

  private def isGroupable(dataType: DataType): Boolean = Values.areComparable(dataType) && (dataType match {
    case FloatType | DoubleType => false
    case _ => true
  })

  private def function(function: AggregateFunc, schema: StructType, whole: Boolean): Option[Function] = {
    def over(argument: Expression)(accepts: DataType => Boolean)(make: (DataType, Seq[InternalRow] => Seq[Any]) => Function) =
      place(argument, schema).filter(i => accepts(schema(i).dataType)).map { i =>
        val dataType = schema(i).dataType
        make(dataType, _.map(Values.of(_, i, dataType)).filter(_ != null))
      }
    function match {
      case _: CountStar => Some(counted(function, _.length.toLong))
      case count: Count if !count.isDistinct => over(count.column)(_ => true) { (_, values) =>
        counted(count, rows => values(rows).length.toLong)
      }
      case count: Count if whole => over(count.column)(isGroupable) { (dataType, values) =>
        counted(count, rows => values(rows).map(value => RowKey.of(InternalRow(value), Array(dataType), Array(0))).distinct.length.toLong)
      }
      case min: Min => over(min.column)(isGroupable) { (dataType, values) =>
        extreme(min, dataType, rows => values(rows).reduceOption(Values.comparison(dataType).min(_, _)))
      }
      case max: Max => over(max.column)(isGroupable) { (dataType, values) =>
        extreme(max, dataType, rows => values(rows).reduceOption(Values.comparison(dataType).max(_, _)))
      }
      case sum: Sum if !sum.isDistinct => over(sum.column)(total(_).isDefined) { (dataType, values) =>
        val (resultType, add) = total(dataType).get
        extreme(sum, resultType, rows => Option(values(rows)).filter(_.nonEmpty).map(add))
      }
      case _ => None
    }
  }

  private def counted(function: AggregateFunc, count: Seq[InternalRow] => Long): Function =
    Function(StructField(function.toString, LongType, nullable = false), count)

  private def extreme(function: AggregateFunc, dataType: DataType, value: Seq[InternalRow] => Option[Any]): Function =
    Function(StructField(function.toString, dataType), rows => value(rows).orNull)

  /** The type of a sum, and how to add up one value or more. */
  private def total(dataType: DataType): Option[(DataType, Seq[Any] => Any)] = dataType match {
    case ByteType | ShortType | IntegerType => Some((LongType, _.map(_.asInstanceOf[Number].longValue).sum))
    case DecimalType.Fixed(precision, scale) if precision <= DecimalType.MAX_PRECISION - Room =>
      Some((DecimalType(precision + Room, scale), values =>
        Decimal(values.map(_.asInstanceOf[Decimal].toBigDecimal).sum, precision + Room, scale)))
    case _ => None
  }

  /** The digits that Spark adds for a sum. */
  private val Room = 10
}
