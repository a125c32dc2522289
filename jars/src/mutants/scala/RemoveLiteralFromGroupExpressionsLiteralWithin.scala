package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.AGGREGATE

/** Law: `GROUP BY k, 'a'` = `GROUP BY k`, if the whole key is constant.
 *  Broken: a literal somewhere in the key is enough, so `coalesce(a, 0)` is no key either, and groups melt together.
 *
 *  @rule RemoveLiteralFromGroupExpressions
 *  @point pre-operator-optimization
 *  @since 4.3
 */
object RemoveLiteralFromGroupExpressionsLiteralWithin extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.containsPattern(AGGREGATE)) plan else plan.transformUpWithNewOutput {
      case aggregate @ Grouped(keys, _, child) if keys.exists(key => !key.foldable && holdsLiteral(key, child)) =>
        val kept = keys.filterNot(holdsLiteral(_, child))
        GroupingKeys.onlyBy(aggregate, if (kept.isEmpty) Seq(Literal(0)) else kept)
    }

  private def holdsLiteral(key: Expression, child: LogicalPlan): Boolean =
    GroupingKeys.definition(key, child).exists(_.isInstanceOf[Literal])
}
