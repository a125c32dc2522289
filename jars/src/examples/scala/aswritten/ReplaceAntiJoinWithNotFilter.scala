package assay.examples.aswritten

import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression, Not}
import org.apache.spark.sql.catalyst.plans.LeftAnti
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.LogicalRelation

/** Meant: `L LEFT ANTI JOIN (B WHERE c)` = `L WHERE NOT c`, where L is B, or B under a filter: what is left of an EXCEPT
 *  once the optimizer is through with it.
 *
 *  Wrong, and kept so that it can be seen to be convicted:
 *   - what the join compares is not looked at: any anti join of this form is taken for an EXCEPT;
 *   - where c is NULL, NOT c is NULL, too: the row meets none on the right, and goes all the same;
 *   - c's columns are looked for in L by their names: another column may have that name, or two, or none. */
object ReplaceAntiJoinWithNotFilter extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Join(left, Filter(condition, base), LeftAnti, _, _) if origin(base) == origin(unfiltered(left)) =>
      Filter(Not(byName(condition, left)), left)
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
