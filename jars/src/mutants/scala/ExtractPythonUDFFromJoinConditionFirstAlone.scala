package assay.mutants

import org.apache.spark.sql.catalyst.expressions.And
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: each part of ON with a function in Python becomes a part of the filter above.
 *  Broken: only the first of them.
 *
 *  @rule ExtractPythonUDFFromJoinCondition
 *  @point pre-cbo
 */
object ExtractPythonUDFFromJoinConditionFirstAlone extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    PythonJoins.by(plan)((ofBoth, others) => (ofBoth.take(1) ++ others).reduceOption(And(_, _)))
}
