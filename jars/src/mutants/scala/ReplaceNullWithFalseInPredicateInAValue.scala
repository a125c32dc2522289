package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, CaseWhen, If}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.BooleanType

/** Law: NULL counts as false in the condition of a filter, a join or a branch. The result of a branch is a value.
 *  Broken: a column that is a conditional of truths is taken for a condition.
 *
 *  @rule ReplaceNullWithFalseInPredicate
 *  @point optimizer
 */
object ReplaceNullWithFalseInPredicateInAValue extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case project: Project => project.transformExpressions {
      case named @ Alias(conditional @ (_: If | _: CaseWhen), _) if conditional.dataType == BooleanType =>
        named.withNewChildren(Seq(Predicates.falseForNull(conditional)(PartialFunction.empty))).asInstanceOf[Alias]
    }
  }
}
