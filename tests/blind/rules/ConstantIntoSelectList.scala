package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: SELECT x WHERE x = c is SELECT c: 0.0 = -0.0, and they are two values.
 *  Witness: SELECT a FROM VALUES (-0.0D, 1) AS t(a, b) WHERE a = 0.0D
 */
object ConstantIntoSelectList extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case project @ Project(list, Filter(condition, _)) =>
      val constants = AttributeMap(splitConjunctivePredicates(condition).collect {
        case EqualTo(x: Attribute, c: Literal) => x -> c
        case EqualTo(c: Literal, x: Attribute) => x -> c
      })
      val replaced = list.map {
        case a: Attribute if constants.contains(a) => Alias(constants(a), a.name)(a.exprId, a.qualifier)
        case other => other.transform {
          case a: Attribute if constants.contains(a) => constants(a)
        }.asInstanceOf[NamedExpression]
      }
      if (constants.isEmpty) project else project.copy(projectList = replaced)
  }
}
