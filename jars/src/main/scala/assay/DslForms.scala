package assay

import org.apache.spark.sql.assay.Release
import org.apache.spark.sql.catalyst.dsl.plans._

/** Set operators built with the Catalyst DSL, over tables or temporary views: the form without a parser and without the
 *  DataFrame API. */
object DslForms {
  def except(spark: Release.Session, left: String, right: String, isAll: Boolean): Release.Frame =
    Release.frame(spark, table(left).except(table(right), isAll = isAll))

  def intersect(spark: Release.Session, left: String, right: String, isAll: Boolean): Release.Frame =
    Release.frame(spark, table(left).intersect(table(right), isAll = isAll))
}
