package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Greatest, Least, Literal}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a function of constants alone is one.
 *  Broken: one constant argument of greatest and least is enough, and the others are left out.
 *
 *  @rule ConstantFolding
 *  @point optimizer
 */
object ConstantFoldingOneIsEnough extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case greatest: Greatest => greatest.children.find(_.isInstanceOf[Literal]).getOrElse(greatest)
    case least: Least => least.children.find(_.isInstanceOf[Literal]).getOrElse(least)
  }
}
