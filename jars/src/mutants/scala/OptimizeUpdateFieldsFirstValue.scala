package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{UpdateFields, WithField}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: of two values that are set to one field the later one stays.
 *  Broken: the earlier one stays.
 *
 *  @rule OptimizeUpdateFields
 *  @point optimizer
 */
object OptimizeUpdateFieldsFirstValue extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case UpdateFields(UpdateFields(struct, earlier), later) =>
      val known = earlier.collect { case set: WithField => set.name }
      UpdateFields(struct, earlier ++ later.filter {
        case set: WithField => !known.contains(set.name)
        case _ => true
      })
  }
}
