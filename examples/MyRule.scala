package com.acme

import org.apache.spark.sql.catalyst.plans.logical.{Distinct, Except, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** A rule to start from.
 *
 *  Law: L EXCEPT R = (SELECT DISTINCT * FROM L) EXCEPT R, for every bag L: EXCEPT takes the duplicates out anyway.
 *  Side conditions: not for EXCEPT ALL, which counts the duplicates; once is enough.
 *
 *  An EXCEPT is only there before the optimizer's own batches have run: try it with `@plan-normalization`. A class will
 *  do as well as an object; its constructor may take the SparkSession. */
object MyRule extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Except(left, right, false) if !left.isInstanceOf[Distinct] => Except(Distinct(left), right, isAll = false)
  }
}
