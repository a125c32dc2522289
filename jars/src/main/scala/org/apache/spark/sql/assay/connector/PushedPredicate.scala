package org.apache.spark.sql.assay.connector

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.expressions.{Expression, Literal, NamedReference}
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.types.{BooleanType, DataType, StringType, StructType}
import org.apache.spark.unsafe.types.UTF8String

/** Evaluates predicates that Spark pushes down, by the three-valued logic of SQL: None is unknown. Comparisons of columns
 *  with constants or each other, IN, columns and constants that are truths, and what AND, OR and NOT make of them; nothing
 *  that could raise. */
private[assay] object PushedPredicate {
  type Test = InternalRow => Option[Boolean]

  private final case class Operand(dataType: DataType, value: InternalRow => Any)

  /** The test that `predicate` is of rows of `schema`, or None if the source can't evaluate it. */
  def test(predicate: Predicate, schema: StructType): Option[Test] = {
    val below: Seq[Test] = predicate.children.toSeq.flatMap {
      case each: Predicate => test(each, schema)
      case _ => None
    }
    val operands: Seq[Operand] = predicate.children.toSeq.flatMap(operand(_, schema))
    val areOfOneType = operands.map(_.dataType).distinct.length == 1 && Values.areComparable(operands.head.dataType)
    val areText = operands.forall(_.dataType == StringType)
    // A child that can't be evaluated is missing, and then no pattern fits.
    (predicate.name, below, operands) match {
      case ("ALWAYS_TRUE", _, _) => Some(_ => Some(true))
      case ("ALWAYS_FALSE", _, _) => Some(_ => Some(false))
      case ("AND", Seq(one, other), _) => Some(row => and(one(row), other(row)))
      case ("OR", Seq(one, other), _) => Some(row => not(and(not(one(row)), not(other(row)))))
      case ("NOT", Seq(one), _) => Some(row => not(one(row)))
      case ("BOOLEAN_EXPRESSION", _, Seq(one)) if one.dataType == BooleanType =>
        Some(row => Option(one.value(row)).map(_.asInstanceOf[Boolean]))
      case ("IS_NULL", _, Seq(one)) => Some(row => Some(one.value(row) == null))
      case ("IS_NOT_NULL", _, Seq(one)) => Some(row => Some(one.value(row) != null))
      case ("IN", _, one +: list) if areOfOneType && operands.length == predicate.children.length =>
        Some(row => in(one, list, row))
      case ("STARTS_WITH", _, Seq(one, part)) if areText => Some(onText(one, part, _.startsWith(_)))
      case ("ENDS_WITH", _, Seq(one, part)) if areText => Some(onText(one, part, _.endsWith(_)))
      case ("CONTAINS", _, Seq(one, part)) if areText => Some(onText(one, part, _.contains(_)))
      case ("<=>", _, Seq(one, other)) if areOfOneType => Some(row => Some(same(one, other, row)))
      case (name, _, Seq(one, other)) if areOfOneType =>
        Comparisons.get(name).map(holds => row => compared(one, other, row).map(holds))
      case _ => None
    }
  }

  /** Whether the row passes: an unknown truth isn't enough. */
  def passes(tests: Seq[Test])(row: InternalRow): Boolean = tests.forall(_(row).contains(true))

  private val Comparisons: Map[String, Int => Boolean] =
    Map("=" -> (_ == 0), "<>" -> (_ != 0), "<" -> (_ < 0), "<=" -> (_ <= 0), ">" -> (_ > 0), ">=" -> (_ >= 0))

  private def operand(expression: Expression, schema: StructType): Option[Operand] = expression match {
    case reference: NamedReference => Values.column(reference, schema).map { place =>
      val dataType = schema(place).dataType
      Operand(dataType, Values.of(_, place, dataType))
    }
    case literal: Literal[_] => Some(Operand(literal.dataType, _ => literal.value))
    case _ => None
  }

  private def not(truth: Option[Boolean]): Option[Boolean] = truth.map(!_)

  private def and(one: Option[Boolean], other: Option[Boolean]): Option[Boolean] =
    if (one.contains(false) || other.contains(false)) Some(false) else if (one.isEmpty) one else other

  private def compared(one: Operand, other: Operand, row: InternalRow): Option[Int] =
    for (left <- Option(one.value(row)); right <- Option(other.value(row)))
      yield Values.comparison(one.dataType).compare(left, right)

  private def same(one: Operand, other: Operand, row: InternalRow): Boolean =
    compared(one, other, row).fold(one.value(row) == null && other.value(row) == null)(_ == 0)

  private def in(one: Operand, list: Seq[Operand], row: InternalRow): Option[Boolean] = {
    val truths = list.map(compared(one, _, row).map(_ == 0))
    if (truths.contains(Some(true))) Some(true) else if (truths.contains(None)) None else Some(false)
  }

  private def onText(one: Operand, other: Operand, holds: (UTF8String, UTF8String) => Boolean): Test = row =>
    (one.value(row), other.value(row)) match {
      case (text: UTF8String, part: UTF8String) => Some(holds(text, part))
      case _ => None
    }
}
