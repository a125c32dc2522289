package org.apache.spark.sql.assay.connector

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.{ArrayType, DataType, StructType}

/** A value with those fields of its structs that Spark asks for. */
private[assay] object PrunedValue {
  /** `value` as one of type `read`, which lacks fields of structs, also of those in structs and arrays, but nothing else. */
  def apply(value: Expression, read: DataType): Expression = (value.dataType, read) match {
    case (whole: StructType, part: StructType) if whole != part =>
      val fields = part.fields.toSeq.flatMap { field =>
        Seq(Literal(field.name), PrunedValue(GetStructField(value, whole.fieldIndex(field.name)), field.dataType))
      }
      If(IsNull(value), Literal(null, CreateNamedStruct(fields).dataType), CreateNamedStruct(fields))
    case (ArrayType(whole: StructType, containsNull), ArrayType(part: StructType, _)) if whole != part =>
      val element = NamedLambdaVariable("element", whole, containsNull)
      ArrayTransform(value, LambdaFunction(PrunedValue(element, part), Seq(element)))
    case _ => value
  }
}
