package userfunctions

import java.lang.{Integer => JavaInt, Long => JavaLong}

import org.apache.spark.sql.{DataFrame, Encoder, Encoders, Row}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

/** Operations of typed Datasets, by functions of one value of a row. It needs nothing but Spark: scripts for stock Spark
 *  hold its text.
 *
 *  An object is a row, or, where the only column has arrays of numbers that are never NULL, a primitive array. */
object TypedRows {
  private val tests = Map[String, Any => Boolean](
    "is_known" -> (_ != null),
    "is_null" -> (_ == null),
    "is_even" -> { case one: JavaInt => one % 2 == 0 case _ => false },
    "is_empty" -> (_ == ""))

  private val changes = Map[String, Any => Any](
    "same" -> (one => one),
    "null" -> (_ => null),
    "zero_if_null" -> (one => one),
    "null_if_negative" -> {
      case one: JavaInt if one < 0 => null
      case one: JavaLong if one < 0 => null
      case one => one
    },
    "mark" -> (one => if (one == null) "none" else s"$one!"))

  // With names, plans say which function they have, and equal ones are equal.
  private case class Test(name: String, place: Int) extends (Row => Boolean) {
    override def apply(row: Row): Boolean = tests(name)(row.get(place))
    override def toString: String = s"$name($place)"
  }

  private case class Change(name: String, place: Int, zero: Any) extends (Row => Row) {
    override def apply(row: Row): Row = {
      val one = row.get(place)
      Row.fromSeq(row.toSeq.updated(place, if (name == "zero_if_null" && one == null) zero else changes(name)(one)))
    }
    override def toString: String = s"$name($place)"
  }

  private case class TestOfArray(name: String) extends (AnyRef => Boolean) {
    override def apply(one: AnyRef): Boolean = tests(name)(one)
    override def toString: String = name
  }

  private case class ChangeOfArray(name: String) extends (AnyRef => AnyRef) {
    override def apply(one: AnyRef): AnyRef = changes(name)(one).asInstanceOf[AnyRef]
    override def toString: String = name
  }

  private case class Key(place: Int) extends (Row => Row) {
    override def apply(row: Row): Row = Row(row.get(place))
    override def toString: String = s"key($place)"
  }

  /** The rows whose value at `place` passes the test. */
  def filter(frame: DataFrame, function: String, place: Int): DataFrame = arrays(frame) match {
    case Some(encoder) => frame.as[AnyRef](encoder).filter(TestOfArray(function)).toDF()
    case None => frame.as[Row](rows(frame.schema)).filter(Test(function, place)).toDF()
  }

  /** The rows with another value at `place`. */
  def map(frame: DataFrame, function: String, place: Int): DataFrame = arrays(frame) match {
    case Some(encoder) =>
      frame.as[AnyRef](encoder).map(ChangeOfArray(function))(encoder).toDF(frame.columns.toSeq: _*)
    case None =>
      val field = frame.schema(place)
      val zero = if (field.dataType == LongType) Long.box(0) else Int.box(0)
      val schema = StructType(frame.schema.updated(place, field.copy(nullable = true)))
      frame.as[Row](rows(frame.schema)).map(Change(function, place, zero))(rows(schema)).toDF()
  }

  /** The values at `place`, and under `name` the number of rows with each. */
  def count(frame: DataFrame, place: Int, name: String): DataFrame = {
    val key = frame.schema(place)
    frame.as[Row](rows(frame.schema)).groupByKey(Key(place))(rows(StructType(Seq(key))))
      .mapGroups((key: Row, rows: Iterator[Row]) => Row(key.get(0), rows.size.toLong))(
        rows(StructType(Seq(key, StructField(name, LongType, nullable = false))))).toDF()
  }

  /** Dates and times as classes of java.time: those of java.sql have another calendar. */
  private def rows(schema: StructType): Encoder[Row] = {
    val conf = SQLConf.get.clone()
    conf.setConf(SQLConf.DATETIME_JAVA8API_ENABLED, true)
    SQLConf.withExistingConf(conf)(Encoders.row(schema))
  }

  private def arrays(frame: DataFrame): Option[Encoder[AnyRef]] = {
    val implicits = frame.sparkSession.implicits
    val found: Option[Encoder[_]] = frame.schema.map(_.dataType) match {
      case Seq(ArrayType(IntegerType, false)) => Some(implicits.newIntArrayEncoder)
      case Seq(ArrayType(LongType, false)) => Some(implicits.newLongArrayEncoder)
      case Seq(ArrayType(DoubleType, false)) => Some(implicits.newDoubleArrayEncoder)
      case Seq(ArrayType(BooleanType, false)) => Some(implicits.newBooleanArrayEncoder)
      case _ => None
    }
    found.map(_.asInstanceOf[Encoder[AnyRef]])
  }
}
