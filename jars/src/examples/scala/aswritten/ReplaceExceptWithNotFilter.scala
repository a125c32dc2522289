package assay.examples.aswritten

import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression, Not}
import org.apache.spark.sql.catalyst.plans.logical.{Distinct, Except, Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.LogicalRelation

/** Meant: `L EXCEPT (B WHERE c)` = `DISTINCT (L WHERE NOT c)`, where L is B, or B under a filter.
 *
 *  Wrong, and kept so that it can be seen to be convicted:
 *   - where c is NULL, NOT c is NULL, too: the row is not on the right, and goes all the same;
 *   - c's columns are looked for in L by their names: another column may have that name, or two, or none. */
object ReplaceExceptWithNotFilter extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Except(left, Filter(condition, base), false) if origin(base) == origin(unfiltered(left)) =>
      Distinct(Filter(Not(byName(condition, left)), left))
  }

  private def unfiltered(plan: LogicalPlan): LogicalPlan = plan match {
    case Filter(_, child) => child
    case other => other
  }

  /** The key that two plans share if they read the same: files by their relation, all else by its form. */
  private def origin(plan: LogicalPlan): AnyRef = plan match {
    case files: LogicalRelation => files.relation
    case other => other.canonicalized
  }

  private def byName(condition: Expression, left: LogicalPlan): Expression = condition.transform {
    case column: AttributeReference => left.output.find(_.name == column.name).get
  }
}
