package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{BinaryComparison, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a comparison with a conditional of two constants has the first outcome where its condition is true, else, where
 *  it is NULL, too, the second.
 *  Broken: a comparison that is true of the first constant and false of the second is the condition: it is NULL where
 *  the condition is.
 *
 *  @rule PushFoldableIntoBranches
 *  @point optimizer
 */
object PushFoldableIntoBranchesIsTheCondition extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case Told(condition) => condition
  }

  private object Told {
    def unapply(comparison: Expression): Option[Expression] = comparison match {
      case Branches.Pushable(conditional, applied) if comparison.isInstanceOf[BinaryComparison] =>
        (conditional.branches, conditional.elseValue) match {
          case (Seq((asked, one)), Some(two)) if is(applied(one), true) && is(applied(two), false) => Some(asked)
          case _ => None
        }
      case _ => None
    }
  }

  private def is(outcome: Expression, expected: Boolean): Boolean = outcome.foldable && outcome.eval() == expected
}
