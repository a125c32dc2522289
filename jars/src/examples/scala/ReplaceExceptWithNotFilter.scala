package assay.examples

import org.apache.spark.sql.catalyst.expressions.{AttributeMap, AttributeReference, Coalesce, Expression, Literal, Not}
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression.hasSubquery
import org.apache.spark.sql.catalyst.plans.logical.{Distinct, Except, Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.EXCEPT
import org.apache.spark.sql.types._

/** Law: `L EXCEPT (B WHERE c)` = `DISTINCT (L WHERE NOT coalesce(c, false))`, where L is B, or B under a filter.
 *
 *  Every row of L is one of B, so it is on the right just when c is true of it. Side conditions:
 *   - the same base: L, or what L filters, has the same result as B;
 *   - c's columns are B's, and L has them in the same places: they are replaced by position, since names may differ;
 *   - c is not true where it is NULL: such a row is not on the right, and stays;
 *   - c, L and B give one answer however often they are asked, and no subquery is needed for it;
 *   - rows that EXCEPT takes for equal are equal to c: not so for -0.0 and 0.0, or 'a' and 'A' under a collation.
 *
 *  It must see Except, so it stands at `plan-normalization`; Spark's ReplaceExceptWithFilter would not leave it any work
 *  at a later point. */
object ReplaceExceptWithNotFilter extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformWithPruning(_.containsPattern(EXCEPT)) {
    case except @ Except(left, Filter(condition, base), false) if isPlain(condition, left, base) =>
      sameBase(left, base).fold[LogicalPlan](except) { own =>
        Distinct(Filter(Not(Coalesce(Seq(moved(condition, base, own), Literal.FalseLiteral))), left))
      }
  }

  private def isPlain(condition: Expression, left: LogicalPlan, base: LogicalPlan): Boolean =
    condition.deterministic && !hasSubquery(condition) && left.deterministic && base.deterministic &&
      !left.isStreaming && condition.references.forall(column => isExact(column.dataType))

  /** The part of `left` that has the result of `base`: itself, or the input of its filter. */
  private def sameBase(left: LogicalPlan, base: LogicalPlan): Option[LogicalPlan] = {
    val candidates = left match {
      case Filter(_, child) => Seq(left, child)
      case _ => Seq(left)
    }
    candidates.find(_.sameResult(base))
  }

  private def moved(condition: Expression, base: LogicalPlan, own: LogicalPlan): Expression = {
    val places = AttributeMap(base.output.zip(own.output))
    condition.transform { case column: AttributeReference => places.getOrElse(column, column) }
  }

  /** Whether values of this type that compare as equal are one and the same. */
  private def isExact(kind: DataType): Boolean = kind match {
    case FloatType | DoubleType => false
    case text: StringType => text == StringType
    case ArrayType(element, _) => isExact(element)
    case StructType(fields) => fields.forall(field => isExact(field.dataType))
    case _ => true
  }
}
