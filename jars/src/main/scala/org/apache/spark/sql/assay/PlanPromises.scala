package org.apache.spark.sql.assay

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.types.{ArrayType, DataType, MapType, StructField, StructType}

/** The promises of an optimized plan about its rows: the number and types of the analyzed plan's columns, and no NULL
 *  in a column that it declares to have none. Spark's own validation can't see the rows. */
private[assay] object PlanPromises {
  final class Broken(message: String) extends RuntimeException(message)

  def check(analyzed: LogicalPlan, optimized: LogicalPlan, rows: Array[InternalRow]): Unit = {
    checkTypes(analyzed, optimized)
    val declared = withoutNull(optimized)
    declared.find(place => rows.exists(_.isNullAt(place))).foreach(brokenAt(optimized, _))
  }

  /** The part of it that no row is needed for. */
  def checkTypes(analyzed: LogicalPlan, optimized: LogicalPlan): Unit = {
    val (wanted, made) = (analyzed.output.map(c => plain(c.dataType)), optimized.output.map(c => plain(c.dataType)))
    if (wanted != made) {
      throw new Broken(s"the optimized plan has columns of ${told(made)}, the query of ${told(wanted)}")
    }
  }

  /** The places of the columns that are declared to have no NULL. */
  def withoutNull(optimized: LogicalPlan): Array[Int] =
    optimized.output.zipWithIndex.collect { case (column, place) if !column.nullable => place }.toArray

  /** A column of [[withoutNull]] has one. */
  def brokenAt(optimized: LogicalPlan, place: Int): Nothing = throw new Broken(
    s"column ${place + 1} (${optimized.output(place).name}) of the optimized plan is declared without NULL and has it")

  private def told(types: Seq[DataType]): String = types.map(_.simpleString).mkString("(", ", ", ")")

  /** `kind` without what it says about NULL, of which rules may learn more, and without the metadata of fields, which
   *  are no part of a type for Spark either (`DataType.equalsIgnoreNullability`): those of a VARIANT that is read in
   *  parts have its paths there. */
  def plain(kind: DataType): DataType = kind match {
    case ArrayType(element, _) => ArrayType(plain(element))
    case MapType(key, value, _) => MapType(plain(key), plain(value))
    case StructType(fields) => StructType(fields.map(field => StructField(field.name, plain(field.dataType))))
    case other => other
  }
}
