package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute}
import org.apache.spark.sql.catalyst.plans.logical.{Distinct, LogicalPlan, Project, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{DISTINCT_LIKE, UNION}

/** Law: of branches of a UNION that are the same one is enough: the same columns in the same order, whatever their names.
 *  Broken: branches are the same that show any columns of the same plan.
 *
 *  @rule RemoveNoopUnion
 *  @point plan-normalization
 */
object RemoveNoopUnionAnyColumns extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(DISTINCT_LIKE, UNION)) {
      case Distinct(union: Union) => Distinct(Unions.ofDifferent(union)(shown))
    }

  private def shown(branch: LogicalPlan): LogicalPlan = branch match {
    case Project(columns, child) if columns.forall {
      case _: Attribute | Alias(_: Attribute, _) => true
      case _ => false
    } => child
    case other => other
  }
}
