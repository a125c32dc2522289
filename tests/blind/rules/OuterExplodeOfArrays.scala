package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: explode_outer of an array that is never NULL = explode: an empty array has no elements either.
 *  Witness: SELECT e FROM VALUES (array(1)), (array()) AS t(a) LATERAL VIEW OUTER explode(a) v AS e
 */
object OuterExplodeOfArrays extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case generate: Generate if generate.outer && neverNull(generate) => generate.copy(outer = false)
  }

  private def neverNull(generate: Generate): Boolean = generate.generator match {
    case Explode(array) => !array.nullable || generate.child.constraints.contains(IsNotNull(array))
    case _ => false
  }
}
