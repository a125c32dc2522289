package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, In, Literal}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a list of constants says the same without repeats. NULL is no repeat: with it a miss is NULL, not false.
 *  Broken: NULL is dropped from among other items, so `x NOT IN (1, NULL)` is true of 2.
 *
 *  @rule OptimizeIn
 *  @point optimizer
 */
object OptimizeInDropsNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case in @ In(_, items) if items.exists(isNull) && !items.forall(isNull) => in.copy(list = items.filterNot(isNull))
  }

  private def isNull(item: Expression): Boolean = item match {
    case Literal(null, _) => true
    case _ => false
  }
}
