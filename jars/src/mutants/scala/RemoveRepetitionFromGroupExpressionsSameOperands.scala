package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.AGGREGATE

/** Law: `GROUP BY k, k` = `GROUP BY k`, whichever way round the operands of a commutative operator stand.
 *  Broken: keys over the same columns are taken for the same key: `a + b` and `a - b`, `a < b` and `b < a`.
 *
 *  @rule RemoveRepetitionFromGroupExpressions
 *  @point pre-operator-optimization
 *  @since 4.3
 */
object RemoveRepetitionFromGroupExpressionsSameOperands extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.containsPattern(AGGREGATE)) plan else plan.transformUpWithNewOutput {
      case aggregate @ Grouped(keys, _, child) if firstOfEach(keys, child).size < keys.size =>
        GroupingKeys.onlyBy(aggregate, firstOfEach(keys, child))
    }

  private def firstOfEach(keys: Seq[Expression], child: LogicalPlan): Seq[Expression] =
    keys.foldLeft(Seq.empty[Expression]) { (kept, key) =>
      if (kept.exists(other => columns(other, child) == columns(key, child))) kept else kept :+ key
    }

  private def columns(key: Expression, child: LogicalPlan): Set[Long] =
    GroupingKeys.definition(key, child).collect { case column: Attribute => column.exprId.id }.toSet
}
