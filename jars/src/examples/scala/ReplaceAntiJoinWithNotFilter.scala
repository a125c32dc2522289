package assay.examples

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeMap, AttributeReference, Coalesce}
import org.apache.spark.sql.catalyst.expressions.{EqualNullSafe, EqualTo, Expression, Literal, Not, PredicateHelper}
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression.hasSubquery
import org.apache.spark.sql.catalyst.plans.LeftAnti
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.JOIN
import org.apache.spark.sql.types._

/** Law: `L LEFT ANTI JOIN (B WHERE c) ON l1 <=> b1 AND ... AND ln <=> bn` = `L WHERE NOT coalesce(c, false)`, where L is
 *  B, or B under a filter.
 *
 *  A row of L is one of B: where c is true of it, it meets itself. Side conditions:
 *   - the same base: L, or what L filters, has the same result as B;
 *   - the join compares every column with the one in its place, and asks for nothing else. It is null-safe, or a row
 *     with a NULL would not meet itself;
 *   - c's columns are replaced by position, since names may differ;
 *   - c is not true where it is NULL: such a row meets none, and stays;
 *   - c, L and B give one answer however often they are asked, and no subquery is needed for it;
 *   - rows that `<=>` takes for equal are equal to c: not so for -0.0 and 0.0, or 'a' and 'A' under a collation.
 *
 *  It may run last of all (`experimental`): what it leaves is final, and no rule combines its filter with L's. */
object ReplaceAntiJoinWithNotFilter extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformWithPruning(_.containsPattern(JOIN)) {
    case join @ Join(left, right @ Filter(condition, base), LeftAnti, Some(on), _)
        if isPlain(condition, left, base) && comparesEachColumn(on, left, right) =>
      sameBase(left, base).fold[LogicalPlan](join) { own =>
        Filter(Not(Coalesce(Seq(moved(condition, base, own), Literal.FalseLiteral))), left)
      }
  }

  private def comparesEachColumn(on: Expression, left: LogicalPlan, right: LogicalPlan): Boolean = {
    val compared = splitConjunctivePredicates(on).map {
      case EqualNullSafe(one: Attribute, other: Attribute) => Some((one, other))
      case EqualTo(one: Attribute, other: Attribute) if !one.nullable && !other.nullable => Some((one, other))
      case _ => None
    }
    val pairs = left.output.zip(right.output).map { case (l, r) => Set(l.exprId, r.exprId) }
    val found = compared.map(_.map { case (one, other) => Set(one.exprId, other.exprId) })
    left.output.size == right.output.size && pairs.nonEmpty && found.toSet == pairs.map(Option(_)).toSet
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
