package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, CaseWhen, Expression, If, Literal, Or}
import org.apache.spark.sql.catalyst.expressions.Literal.FalseLiteral
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.types.BooleanType

/** Conditions whose NULL counts as false. */
private[mutants] object Predicates {

  /** `plan` with `rewrite` applied to the condition of each filter and join. */
  def rewritten(plan: LogicalPlan)(rewrite: Expression => Expression): LogicalPlan = plan.transform {
    case filter: Filter => filter.copy(condition = rewrite(filter.condition))
    case join: Join => join.copy(condition = join.condition.map(rewrite))
  }

  /** `condition` with false for NULL, reached through AND, OR and the results of conditionals; `more` says what else is
   *  to be done on the way.
   */
  def falseForNull(condition: Expression)(more: PartialFunction[Expression, Expression]): Expression =
    condition match {
      case found if more.isDefinedAt(found) => more(found)
      case Literal(null, BooleanType) => FalseLiteral
      case And(left, right) => And(falseForNull(left)(more), falseForNull(right)(more))
      case Or(left, right) => Or(falseForNull(left)(more), falseForNull(right)(more))
      case If(asked, one, two) => If(asked, falseForNull(one)(more), falseForNull(two)(more))
      case CaseWhen(branches, otherwise) =>
        CaseWhen(branches.map { case (asked, one) => asked -> falseForNull(one)(more) },
          otherwise.map(falseForNull(_)(more)))
      case other => other
    }
}
