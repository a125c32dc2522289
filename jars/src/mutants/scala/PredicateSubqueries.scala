package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Expression, IsNull, Or, PredicateHelper}
import org.apache.spark.sql.catalyst.optimizer.RewritePredicateSubquery
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.{EXISTS_SUBQUERY, LIST_SUBQUERY}

/** RewritePredicateSubquery at work, its joins changed afterwards: no subquery is left for Spark's. */
private[mutants] object PredicateSubqueries extends PredicateHelper {

  /** `plan` with its predicates over subqueries as joins, those joins as `wrong` makes them. */
  def joined(plan: LogicalPlan)(wrong: PartialFunction[Join, LogicalPlan]): LogicalPlan = {
    if (!plan.containsAnyPattern(EXISTS_SUBQUERY, LIST_SUBQUERY)) return plan
    val known = plan.collect { case join: Join => join.condition }.toSet
    RewritePredicateSubquery(plan).transformUp {
      case join: Join if !known(join.condition) && wrong.isDefinedAt(join) => wrong(join)
    }
  }

  /** `condition` with each operand of its AND as `changed` makes it. */
  def each(condition: Expression)(changed: Expression => Expression): Expression =
    splitConjunctivePredicates(condition).map(changed).reduce(And(_, _))

  /** The `c` of `c OR c IS NULL`: NOT IN takes NULL for a match. */
  object OrUnknown {
    def unapply(condition: Expression): Option[Expression] = condition match {
      case Or(one, IsNull(two)) if one.semanticEquals(two) => Some(one)
      case _ => None
    }
  }
}
