package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Coalesce}
import org.apache.spark.sql.catalyst.expressions.Literal.TrueLiteral
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: rows meet where the condition is true.
 *  Broken: also where it is NULL, if it has a function in Python.
 *
 *  @rule ExtractPythonUDFFromJoinCondition
 *  @point pre-cbo
 */
object ExtractPythonUDFFromJoinConditionUnknownMeets extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = PythonJoins.by(plan) { (ofBoth, others) =>
    (ofBoth.map(part => Coalesce(Seq(part, TrueLiteral))) ++ others).reduceOption(And(_, _))
  }
}
