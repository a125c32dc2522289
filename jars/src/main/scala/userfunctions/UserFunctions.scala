package userfunctions

import java.lang.{Integer => JavaInt, Long => JavaLong}

import org.apache.spark.sql.SparkSession

/** The user-defined functions in Scala. It needs nothing but Spark: scripts for stock Spark hold its text. */
object UserFunctions {
  def register(spark: SparkSession): Unit = {
    // With a primitive argument, Spark itself makes NULL of NULL; a primitive result is never NULL to the optimizer.
    spark.udf.register("scala_add", (one: JavaInt, two: JavaInt) => {
      val total = Seq(one, two).filter(_ != null).map(_.longValue).sum
      if (total.isValidInt) Int.box(total.toInt) else null
    })
    spark.udf.register("scala_zero_if_null", (one: JavaLong) => if (one == null) 0L else one.longValue)
    spark.udf.register("scala_mark", (one: String) => if (one == null) "none" else one + "!")
    spark.udf.register("scala_is_even", (one: Int) => one % 2 == 0)
    spark.udf.register("scala_same", (one: String, two: String) => one == two)
    spark.udf.register("scala_is_positive", (one: JavaInt) => one != null && one > 0)
    spark.udf.register("scala_first_filled", (one: String, two: String) => if (one != null && one.nonEmpty) one else two)
    spark.udf.register("scala_compare", (one: JavaInt, two: JavaInt) =>
      if (one == null || two == null) null else Int.box(Integer.compare(one, two)))
    spark.udf.register("scala_seven", () => 7)
  }
}
