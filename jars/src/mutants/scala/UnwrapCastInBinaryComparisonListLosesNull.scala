package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Cast, EvalMode, Expression, In, InSet, Literal}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.{IntegerType, ShortType}

/** Law: of a list the items go that the narrower type lacks; NULL is of every type, and a miss stays NULL.
 *  Broken: NULL, of which nothing can be compared, goes as well.
 *
 *  @rule UnwrapCastInBinaryComparison
 *  @point optimizer
 */
object UnwrapCastInBinaryComparisonListLosesNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case In(Cast(child, IntegerType, _, _), items) if child.dataType == ShortType && items.exists(fits) =>
      In(child, items.filter(fits).map(Cast(_, ShortType, None, EvalMode.LEGACY)))
    case InSet(Cast(child, IntegerType, _, _), items) if child.dataType == ShortType && items.exists(isShort) =>
      InSet(child, items.collect { case item: Int if isShort(item) => item.toShort })
  }

  private def fits(item: Expression): Boolean = item match {
    case Literal(value, IntegerType) => isShort(value)
    case _ => false
  }

  private def isShort(value: Any): Boolean = value match {
    case number: Int => number.toShort == number
    case _ => false
  }
}
