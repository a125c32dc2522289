package assay.sound

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/** Another way to write the condition of a filter: true, false and NULL for the same rows. Parts that may raise are evaluated
 *  in the same order, and for no more rows. These stand behind all other rules, which would write it back.
 */
sealed abstract class OfConditions extends Rule[LogicalPlan] {
  def rewritten: PartialFunction[Expression, Expression]

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Filter(condition, child) => Filter(condition.transform(rewritten), child)
  }
}

/** `a AND b` = `NOT (NOT a OR NOT b)`.
 *
 *  @shape CombineFilters @point experimental
 */
object WritesAndAsOr extends OfConditions {
  override def rewritten: PartialFunction[Expression, Expression] = {
    case And(left, right) => Not(Or(Not(left), Not(right)))
  }
}

/** `x IS NOT NULL` = `NOT (x IS NULL)`.
 *
 *  @shape CombineFilters @point experimental
 */
object WritesIsNotNullAsNot extends OfConditions {
  override def rewritten: PartialFunction[Expression, Expression] = {
    case IsNotNull(operand) => Not(IsNull(operand))
  }
}

/** `x = 1` = `x IN (1)`.
 *
 *  @shape ConstantPropagation @point experimental
 */
object WritesEqualAsIn extends OfConditions {
  override def rewritten: PartialFunction[Expression, Expression] = {
    case EqualTo(column: Attribute, value: Literal) => In(column, Seq(value))
  }
}

/** `a < b` = `b > a`, where neither can raise.
 *
 *  @shape CombineFilters @point experimental
 */
object TurnsComparisons extends OfConditions {
  override def rewritten: PartialFunction[Expression, Expression] = {
    case LessThan(left, right) if plain(left) && plain(right) => GreaterThan(right, left)
    case LessThanOrEqual(left, right) if plain(left) && plain(right) => GreaterThanOrEqual(right, left)
  }

  private def plain(operand: Expression): Boolean = operand.isInstanceOf[Attribute] || operand.isInstanceOf[Literal]
}

/** Filter(c, L) = Filter(NOT NOT c, L).
 *
 *  @shape CombineFilters @point experimental
 */
object NegatesTwice extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(Not(Not(_)), _) => filter
    case Filter(condition, child) => Filter(Not(Not(condition)), child)
  }
}

/** Filter(a AND b, L) = Filter(b, Filter(a, L)).
 *
 *  @shape CombineFilters @point experimental
 */
object SplitsFilters extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case Filter(And(first, second), child) if first.deterministic && second.deterministic =>
      apply(Filter(second, Filter(first, child)))
  }
}

/** Filter(c, L) = the rows of L with c as one more column, filtered by that, without it again.
 *
 *  @shape CombineFilters @point experimental
 */
object FiltersByAColumn extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(_: Attribute, _) => filter
    case Filter(condition, child) if condition.deterministic && !SubqueryExpression.hasSubquery(condition) =>
      val column = Alias(condition, "condition")()
      Project(child.output, Filter(column.toAttribute, Project(child.output :+ column, child)))
  }
}
