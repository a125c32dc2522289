package assay.mutants

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, InterpretedMutableProjection, NamedExpression}
import org.apache.spark.sql.catalyst.expressions.Unevaluable
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation

/** Rows that are at hand while a plan is optimized. */
private[mutants] object Local {

  /** Whether `expression` can be computed right here, the same each time. */
  def computable(expression: Expression): Boolean = expression.deterministic && !expression.exists {
    case _: Attribute => false
    case _: Unevaluable => true
    case _ => false
  }

  /** The rows of `local` as `items` make them, one by one: the row that is handed out is always the same one. */
  def projected(items: Seq[NamedExpression], local: LocalRelation): Iterator[InternalRow] = {
    val projection = new InterpretedMutableProjection(items, local.output)
    projection.initialize(0)
    local.data.iterator.map(row => projection(row))
  }

  /** `data` in the columns that `items` make. */
  def of(items: Seq[NamedExpression], data: Seq[InternalRow]): LocalRelation =
    LocalRelation(items.map(_.toAttribute), data)
}
