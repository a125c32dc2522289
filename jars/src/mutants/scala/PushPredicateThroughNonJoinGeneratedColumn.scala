package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{ArrayExists, Attribute, Explode, Expression, LambdaFunction}
import org.apache.spark.sql.catalyst.expressions.NamedLambdaVariable
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Generate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.ArrayType

/** Law: a filter passes explode by columns of the rows below; a condition on the element stays above.
 *  Broken: it goes below as one on the array, which has to hold such an element: all of its others come through, too.
 *
 *  @rule PushPredicateThroughNonJoin
 *  @point plan-normalization
 */
object PushPredicateThroughNonJoinGeneratedColumn extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(condition, generate @ Generate(Explode(array), _, false, _, Seq(element), child))
        if Pushdown.isPlain(condition) && condition.references.contains(element) =>
      generate.copy(child = Filter(holds(array, element, condition), child))
  }

  private def holds(array: Expression, element: Attribute, condition: Expression): Expression = {
    val ArrayType(kind, mayBeNull) = array.dataType: @unchecked
    val variable = NamedLambdaVariable("e", kind, mayBeNull)
    val asked = condition.transform { case column: Attribute if column.semanticEquals(element) => variable }
    ArrayExists(array, LambdaFunction(asked, Seq(variable)))
  }
}
