package com.acme

import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.expressions.And
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Brings a wrong rule, a right one and a check. */
class AcmeExtensions extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit = {
    extensions.injectPlanNormalizationRule(_ => SortsPairs)
    extensions.injectOptimizerRule(session => new KeepsAll(session))
    extensions.injectCheckRule(_ => _ => ())
  }
}

/** Right: AND is commutative. A pair in order stays so. */
object SortsPairs extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Filter(And(left, right), child) if left.sql > right.sql => Filter(And(right, left), child)
  }
}

/** Wrong: every row passes. */
class KeepsAll(session: SparkSession) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform { case Filter(_, child) => child }
}
