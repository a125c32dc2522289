package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Expression, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a join whose keys are normalized keeps the rest of its condition.
 *  Broken: the condition is put together anew from the keys alone.
 *
 *  @rule NormalizeFloatingNumbers
 *  @point experimental
 */
object NormalizeFloatingNumbersKeysAlone extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case join: Join if join.condition.exists(isByNormalized) =>
      val keys = splitConjunctivePredicates(join.condition.get).filter(isByNormalized)
      join.copy(condition = keys.reduceOption(And))
  }

  private def isByNormalized(condition: Expression): Boolean = condition.exists {
    case Normalized(_) => true
    case _ => false
  }
}
