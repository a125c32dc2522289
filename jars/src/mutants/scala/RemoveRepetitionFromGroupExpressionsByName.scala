package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.AGGREGATE

/** Law: `GROUP BY k, k` = `GROUP BY k`; columns are the same when their ids are.
 *  Broken: when their names are, so of `t0.a` and `t1.a` one is dropped.
 *
 *  @rule RemoveRepetitionFromGroupExpressions
 *  @point pre-operator-optimization
 *  @since 4.3
 */
object RemoveRepetitionFromGroupExpressionsByName extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.containsPattern(AGGREGATE)) plan else plan.transformUpWithNewOutput {
      case aggregate @ Grouped(keys, _, child) if firstOfEach(keys, child).size < keys.size =>
        GroupingKeys.onlyBy(aggregate, firstOfEach(keys, child))
    }

  private def firstOfEach(keys: Seq[Expression], child: LogicalPlan): Seq[Expression] =
    keys.foldLeft(Seq.empty[Expression]) { (kept, key) =>
      if (kept.exists(sameName(_, key, child))) kept else kept :+ key
    }

  private def sameName(one: Expression, two: Expression, child: LogicalPlan): Boolean =
    (GroupingKeys.definition(one, child), GroupingKeys.definition(two, child)) match {
      case (a: Attribute, b: Attribute) => a.name.equalsIgnoreCase(b.name)
      case (a, b) => a.semanticEquals(b)
    }
}
