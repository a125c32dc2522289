package org.apache.spark.sql.assay

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a call that may be translated = the call of the function in Python, where `spark.assay.reference` lists it,
 *  in subquery plans, too. Releases without translation have no such call: it is known by its name.
 */
private[assay] object InterpretedFunctions extends Rule[LogicalPlan] {
  val Name = "TranspiledPythonUDF"

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!ReferenceKind.names(conf.getConfString(ReferenceKind.Conf, "")).contains(Name)) {
      plan
    } else {
      plan.transformAllExpressionsWithSubqueries {
        // Its other children are what it may be translated to.
        case call if call.getClass.getSimpleName == Name => call.children.head
      }
    }
}
