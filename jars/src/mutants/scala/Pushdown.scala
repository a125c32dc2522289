package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Attribute, AttributeMap, Expression, PredicateHelper}
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression
import org.apache.spark.sql.catalyst.optimizer.{CombineFilters, PushPredicateThroughJoin, PushPredicateThroughNonJoin}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, Join, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.trees.TreePattern.{FILTER, JOIN}

/** PushDownPredicates with one step of its own: the wrong one, which comes before Spark's sound ones. */
private[mutants] object Pushdown extends PredicateHelper {

  /** One pass from the top down, as the rule makes it. A filter that a step leaves on top is not looked at again. */
  def apply(plan: LogicalPlan)(wrong: PartialFunction[LogicalPlan, LogicalPlan]): LogicalPlan = {
    val steps = wrong
      .orElse(CombineFilters.applyLocally)
      .orElse(PushPredicateThroughNonJoin.applyLocally)
      .orElse(PushPredicateThroughJoin.applyLocally)
    plan.transformWithPruning(_.containsAnyPattern(FILTER, JOIN)) {
      case node if !asksAPlan(node) && steps.isDefinedAt(node) => steps(node)
    }
  }

  /** A condition with a subquery stays: the columns that this takes from outside would not follow it. */
  private def asksAPlan(node: LogicalPlan): Boolean = node match {
    case Filter(condition, _) => SubqueryExpression.hasSubquery(condition)
    case join: Join => join.condition.exists(SubqueryExpression.hasSubquery)
    case _ => false
  }

  /** The operands of a condition's AND. */
  def conjuncts(condition: Expression): Seq[Expression] = splitConjunctivePredicates(condition)

  /** Those of `conditions` that can be evaluated over `plan`, and the others. */
  def over(plan: LogicalPlan, conditions: Seq[Expression]): (Seq[Expression], Seq[Expression]) =
    conditions.partition(c => isPlain(c) && c.references.nonEmpty && c.references.subsetOf(plan.outputSet))

  /** Whether an expression may be moved at all: it has the same value whenever it is asked, and no plan of its own. */
  def isPlain(condition: Expression): Boolean =
    condition.deterministic && !SubqueryExpression.hasSubquery(condition)

  /** `plan` under a filter, if there are conditions. */
  def filtered(conditions: Seq[Expression], plan: LogicalPlan): LogicalPlan =
    all(conditions).fold(plan)(Filter(_, plan))

  /** The AND of `conditions`, if there are any. */
  def all(conditions: Seq[Expression]): Option[Expression] = conditions.reduceLeftOption(And(_, _))

  /** A condition over an aggregate's output as one over what computes that. */
  def beneath(condition: Expression, aggregate: Aggregate): Expression =
    replaceAlias(condition, getAliasMap(aggregate))

  /** A condition over a projection's output as one over what computes that. */
  def beneath(condition: Expression, project: Project): Expression =
    replaceAlias(condition, getAliasMap(project))

  /** `condition` with each column replaced by the one of `plan` that has its name and type; None where one has none. */
  def byName(condition: Expression, plan: LogicalPlan): Option[Expression] = {
    val named = AttributeMap(condition.references.toSeq.flatMap { column =>
      plan.output.find(c => c.name == column.name && c.dataType == column.dataType).map(column -> _)
    })
    if (isPlain(condition) && named.nonEmpty && condition.references.forall(named.contains)) {
      Some(condition.transform { case column: Attribute => named(column) })
    } else {
      None
    }
  }
}
