package assay.mutants

import org.apache.spark.sql.catalyst.expressions.And
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: the other parts of ON stay the join's condition.
 *  Broken: they go, and the function alone decides.
 *
 *  @rule ExtractPythonUDFFromJoinCondition
 *  @point pre-cbo
 */
object ExtractPythonUDFFromJoinConditionDropsRest extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    PythonJoins.by(plan)((ofBoth, _) => ofBoth.reduceOption(And(_, _)))
}
