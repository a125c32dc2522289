package rules

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Takes all the memory there is when a plan has an Aggregate. */
object EatsMemory extends Rule[LogicalPlan] {
  private val eaten = ArrayBuffer.empty[Array[Long]]

  override def apply(plan: LogicalPlan): LogicalPlan = {
    while (plan.exists(_.isInstanceOf[Aggregate])) eaten += new Array[Long](1 << 20)
    plan
  }
}
