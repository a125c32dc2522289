package assay.mutants

import org.apache.spark.api.java.function.FilterFunction
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, TypedFilter}

/** Two typed filters as one, of a function made of both. */
private[mutants] object TypedFilters {
  type Test = Any => Boolean

  /** `plan` with one filter for each two, whose function `both` makes of the lower one's and the upper one's. */
  def combined(plan: LogicalPlan)(both: (Test, Test) => Test): LogicalPlan = plan.transform {
    case upper @ TypedFilter(_, _, _, _, lower: TypedFilter)
        if upper.deserializer.dataType == lower.deserializer.dataType =>
      upper.copy(func = both(test(lower.func), test(upper.func)), child = lower.child)
  }

  private def test(function: AnyRef): Test = function match {
    case java: FilterFunction[_] => java.asInstanceOf[FilterFunction[Any]].call(_)
    case scala => scala.asInstanceOf[Test]
  }
}
