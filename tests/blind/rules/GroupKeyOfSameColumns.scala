package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a key of other keys' columns groups no further: right if these columns are keys, not if they are in keys.
 *  Witness: SELECT count(*) FROM VALUES (1), (4) AS t(a) GROUP BY a % 2, a % 3
 *  @point plan-normalization
 */
object GroupKeyOfSameColumns extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case aggregate @ Aggregate(keys, _, _, _) => redundant(keys).fold(aggregate)(without(aggregate, _))
  }

  private def redundant(keys: Seq[Expression]): Option[Expression] = keys.find { key =>
    val others = AttributeSet(keys.filterNot(_ eq key).flatMap(_.references))
    !key.isInstanceOf[Attribute] && key.deterministic && key.references.nonEmpty && key.references.subsetOf(others)
  }

  @scala.annotation.tailrec
  private def without(aggregate: Aggregate, key: Expression): Aggregate = {
    def first(e: Expression): Expression = e match {
      case f: AggregateExpression => f
      case same if same.semanticEquals(key) => First(key, ignoreNulls = false).toAggregateExpression()
      case other => other.mapChildren(first)
    }
    val output = aggregate.aggregateExpressions.map(first(_).asInstanceOf[NamedExpression])
    val fewer = aggregate.copy(aggregate.groupingExpressions.filterNot(_ eq key), output)
    redundant(fewer.groupingExpressions) match {
      case Some(next) => without(fewer, next)
      case None => fewer
    }
  }
}
